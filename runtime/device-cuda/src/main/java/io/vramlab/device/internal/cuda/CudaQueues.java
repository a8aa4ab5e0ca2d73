package io.vramlab.device.internal.cuda;

import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceStreams;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/** Streams and events of one GPU. */
final class CudaQueues implements DeviceStreams {

    private final CudaContext context;
    private final CudaStatus status;
    private final Handles handles;

    CudaQueues(CudaContext context) {
        this.context = context;
        this.status = context.status();
        this.handles = new Handles(context.properties().name());
    }

    Handles.StreamHandle stream(long stream) {
        return handles.stream(stream);
    }

    @Override
    public long createStream() {
        context.enter();
        Handles.StreamHandle s = new Handles.StreamHandle();
        status.check(JCudaDriver.cuStreamCreate(s, CUstream_flags.CU_STREAM_NON_BLOCKING), "A stream");
        return handles.add(s);
    }

    @Override
    public void destroyStream(long stream) {
        if (stream == 0) {
            throw new DeviceException("The default stream was to be destroyed; it lives as long as the device. "
                    + "Destroy only streams you created.");
        }
        Handles.StreamHandle s = handles.stream(stream);
        handles.removeStream(stream);
        context.enterEvenIfLost();
        int code = JCudaDriver.cuStreamDestroy(s);
        if (!status.isLost()) {
            status.check(code, "Destroying a stream");
        }
    }

    @Override
    public void synchronizeStream(long stream) {
        Handles.StreamHandle s = handles.stream(stream);
        context.enter();
        int mark = status.pending().mark();
        status.check(JCudaDriver.cuStreamSynchronize(s), "Waiting for a stream");
        status.pending().done(stream, mark);
    }

    @Override
    public boolean queryStream(long stream) {
        Handles.StreamHandle s = handles.stream(stream);
        context.enter();
        return isReady(JCudaDriver.cuStreamQuery(s), "Asking after a stream");
    }

    @Override
    public void synchronize() {
        context.enter();
        int mark = status.pending().mark();
        status.check(JCudaDriver.cuCtxSynchronize(), "Waiting for the device");
        status.pending().done(mark);
    }

    @Override
    public long createEvent(boolean timing) {
        context.enter();
        Handles.EventHandle e = new Handles.EventHandle(timing);
        status.check(JCudaDriver.cuEventCreate(e,
                timing ? CUevent_flags.CU_EVENT_DEFAULT : CUevent_flags.CU_EVENT_DISABLE_TIMING), "An event");
        return handles.add(e);
    }

    @Override
    public void destroyEvent(long event) {
        Handles.EventHandle e = handles.event(event);
        handles.removeEvent(event);
        context.enterEvenIfLost();
        int code = JCudaDriver.cuEventDestroy(e);
        if (!status.isLost()) {
            status.check(code, "Destroying an event");
        }
    }

    @Override
    public void recordEvent(long event, long stream) {
        Handles.EventHandle e = handles.event(event);
        Handles.StreamHandle s = handles.stream(stream);
        context.enter();
        status.check(JCudaDriver.cuEventRecord(e, s), "Recording an event");
        e.setRecorded();
    }

    @Override
    public boolean queryEvent(long event) {
        Handles.EventHandle e = handles.event(event);
        context.enter();
        return isReady(JCudaDriver.cuEventQuery(e), "Asking after an event");
    }

    @Override
    public void synchronizeEvent(long event) {
        Handles.EventHandle e = handles.event(event);
        context.enter();
        status.check(JCudaDriver.cuEventSynchronize(e), "Waiting for an event");
    }

    @Override
    public void waitEvent(long stream, long event) {
        Handles.EventHandle e = handles.event(event);
        Handles.StreamHandle s = handles.stream(stream);
        context.enter();
        status.check(JCudaDriver.cuStreamWaitEvent(s, e, 0), "Making a stream wait for an event");
    }

    @Override
    public double elapsedMillis(long start, long end) {
        Handles.EventHandle a = handles.event(start);
        Handles.EventHandle b = handles.event(end);
        if (!a.isTiming() || !b.isTiming() || !a.isRecorded() || !b.isRecorded()) {
            throw new DeviceException(
                    "The time between two events was asked for; one has no timing or was not recorded. "
                            + "Create both with timing, record both, and synchronize the second.");
        }
        context.enter();
        float[] millis = new float[1];
        status.check(JCudaDriver.cuEventElapsedTime(millis, a, b), "The time between two events");
        return millis[0];
    }

    private boolean isReady(int code, String what) {
        if (code == CudaStatus.NOT_READY) {
            return false;
        }
        status.check(code, what);
        return true;
    }
}
