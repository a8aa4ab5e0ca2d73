package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Lets one install or uninstall at a time change a place; another waits. Where the file system cannot lock, nobody waits: then every
 * step by itself is still whole or not there.
 */
final class InstallLock implements AutoCloseable {

    private static final String NAME = ".installing";

    private final Path file;
    private final FileChannel channel;

    private InstallLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Waits for the lock.
     *
     * @param folder the folder of distributions; made when it is not there
     * @param audience for whom
     * @param err told when another one has it
     */
    static InstallLock on(Path folder, Audience audience, PrintWriter err) throws IOException {
        Path file = folder.resolve(NAME);
        while (true) {
            FileChannel channel;
            try {
                makeFolder(folder, audience);
                channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
            } catch (NoSuchFileException uninstalledMeanwhile) {
                continue;
            }
            try {
                FileLock lock = channel.tryLock();
                if (lock == null) {
                    err.println("Another install or uninstall is changing " + folder + ": waiting for it.");
                    lock = channel.lock();
                }
            } catch (IOException noLocksHere) {
                return new InstallLock(file, channel);
            }
            // who had the lock may have deleted the file: then this is not the file that the next one finds
            int mark = ThreadLocalRandom.current().nextInt(1, 1 << 20);
            try {
                channel.truncate(0).write(ByteBuffer.allocate(1), mark - 1);
            } catch (IOException full) {
                channel.close();
                throw new FileSystemException(file.toString(), null, full.getMessage());
            }
            if (length(file) == mark) {
                return new InstallLock(file, channel);
            }
            channel.close();
        }
    }

    private static void makeFolder(Path folder, Audience audience) throws IOException {
        boolean there = Files.isDirectory(folder);
        Folders.create(folder, audience);
        if (audience == Audience.OWNER && !there) {
            Permissions.ownersOnly(folder);
        }
    }

    /** Of a file that is not opened for it: closing a file gives up every lock that the process has on it. */
    private static long length(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException deleted) {
            return 0;
        }
    }

    /** Leaves no file behind. */
    @Override
    public void close() throws IOException {
        try (channel) {
            Files.deleteIfExists(file);
        }
    }
}
