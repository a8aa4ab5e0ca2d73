package io.vramlab.kernel.internal.channel;

import io.vramlab.kernel.internal.cell.KernelThread;
import io.vramlab.kernel.internal.cell.SpareMemory;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/**
 * Echoes what it receives, at once, whatever the rest of the kernel does. A ROUTER, as ipykernel's: it keeps no state
 * between a request and its answer, so a client that vanishes in between leaves nothing behind.
 */
final class Heartbeat implements Runnable, AutoCloseable {

    // its own context: terminating it is how a thread blocked in a receive is told to close its socket
    private final ZMQ.Context context = ZMQ.context(1);
    private final ZMQ.Socket socket;

    Heartbeat(String address) throws BindException {
        context.setThreadFactor((work, name) -> new KernelThread(name, work));
        socket = context.socket(SocketType.ROUTER);
        socket.setLinger(0);
        Channels.bind(socket, address);
    }

    @Override
    public void run() {
        try {
            boolean open = true;
            while (open) {
                try {
                    open = echo();
                } catch (OutOfMemoryError e) {
                    // a beat is lost; a client asks again
                    SpareMemory.await();
                }
            }
        } catch (ZMQException e) {
            if (e.getErrorCode() != ZMQ.Error.ETERM.getCode()) {
                throw e;
            }
        } finally {
            socket.close();
        }
    }

    private boolean echo() {
        byte[] frame = socket.recv();
        if (frame == null) {
            return false;
        }
        List<byte[]> frames = new ArrayList<>(3);
        frames.add(frame);
        while (socket.hasReceiveMore()) {
            frames.add(socket.recv());
        }
        for (int i = 0; i < frames.size(); i++) {
            socket.send(frames.get(i), i < frames.size() - 1 ? ZMQ.SNDMORE : 0);
        }
        return true;
    }

    @Override
    public void close() {
        context.term();
    }
}
