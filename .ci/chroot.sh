# Sourced by what tries VramLab in a chroot of Debian's: needs root, on Debian or Ubuntu; Debian's mirror is the one that this machine's apt uses.
# Sets nothing but these functions; the caller has set
#   name      who speaks
#   cache     a folder for logs
#   there     the chroot's folder
#   failures  how many checks failed
# and calls enter FOLDER once, the folder in the chroot in which the checks run.

say() { printf '%s: %s\n' "$name" "$*"; }

mirror() {
    apt-get indextargets --format '$(ORIGIN) $(LABEL) $(SITE)' 2> /dev/null | sed -n 's/^Debian Debian //p' | sort -u | head -n 1
}

# make_chroot PACKAGES: Debian's stable suite with those and a user student, who has no rights.
make_chroot() {
    local from
    command -v mmdebstrap > /dev/null || { apt-get -q update && apt-get -q -y --no-install-recommends install mmdebstrap; } > "$cache/apt.log" 2>&1
    from=$(mirror)
    [ -n "$from" ] || { say "apt names no mirror of Debian (apt-get update)"; exit 1; }
    rm -rf "$there.part"
    mmdebstrap --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' --include="$1" \
        stable "$there.part" "deb [trusted=yes] $from stable main" > "$cache/chroot.log" 2>&1 \
        || { say "there is no chroot: see $cache/chroot.log"; exit 1; }
    ! mountpoint -q "$there.part/proc" || umount "$there.part/proc" # what mmdebstrap may leave; the checks mount their own
    chroot "$there.part" useradd --create-home student
    mv "$there.part" "$there"
}

# enter FOLDER: checks run there, with the network as this machine has it and nothing else of its environment.
enter() {
    folder=$1
    mkdir -p "$there$folder" "$there/dev/shm"
    chroot "$there" chown -R student:student "$folder"
    cp -L /etc/resolv.conf "$there/etc/resolv.conf"
    cp -L /etc/ssl/certs/ca-certificates.crt "$there/etc/ssl/certs/ca-certificates.crt"
    unset JAVA_HOME JAVA25_HOME JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS MAVEN_OPTS MAVEN_HOME M2_HOME PIP_FIND_LINKS VIRTUAL_ENV XDG_CACHE_HOME
    # shellcheck disable=SC2046 # names
    unset $(compgen -v VRAMLAB_) || true
    export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin VRAMLAB_HISTORY=off
    say "$(chroot "$there" sh -c '. /etc/os-release; echo "$PRETTY_NAME"; python3 --version' | paste -s -d ',')"
}

# A command in the chroot as the user student, with mounts and processes of its own that go when it ends.
inside() {
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount --pid --fork --kill-child -- sh -c 'mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm" && exec chroot --userspec=student:student "$@"' \
        sh "$there" env HOME=/home/student sh -c "cd '$folder' && $1"
}

# check WHAT COMMAND: one line with the seconds; the output of a failure.
check() {
    local begin end status=0
    begin=$(date +%s.%N)
    inside "$2" > "$cache/last.log" 2>&1 || status=$?
    end=$(date +%s.%N)
    if [ "$status" -eq 0 ]; then
        say "$(printf 'ok   %6.1f s  %s' "$(awk "BEGIN { print $end - $begin }")" "$1")"
    else
        failures=$((failures + 1))
        say "FAIL $1: status $status"
        sed 's/^/    /' "$cache/last.log" | tail -n 20
    fi
}
