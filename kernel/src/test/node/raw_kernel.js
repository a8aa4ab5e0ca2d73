// A kernel started as VS Code's Jupyter extension starts one: from kernel.json alone, no server between. @jupyterlab/services speaks
// the protocol; what it takes for a WebSocket passes the messages on to the kernel's ZeroMQ sockets, signed.
//
//     npm install zeromq @jupyterlab/services && node raw_kernel.js KERNELSPEC_FOLDER
const { createHmac, randomUUID } = require("crypto");
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require("fs");
const { spawn } = require("child_process");
const { createServer } = require("net");
const { join } = require("path");
const { tmpdir } = require("os");
const zmq = require("zeromq");
const { KernelConnection, KernelMessage, ServerConnection } = require("@jupyterlab/services");

const DELIMITER = "<IDS|MSG>";
const TYPES = { shell: zmq.Dealer, control: zmq.Dealer, stdin: zmq.Dealer, iopub: zmq.Subscriber };

const freePort = () => new Promise((done) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

function rawSocketFor(connection) {
  const sign = (parts) => parts.reduce((mac, part) => mac.update(part), createHmac("sha256", connection.key)).digest("hex");
  return class RawSocket {
    constructor() {
      this.protocol = "";
      this.sent = Promise.resolve();
      this.sockets = {};
      const identity = randomUUID();
      for (const [channel, Type] of Object.entries(TYPES)) {
        const socket = (this.sockets[channel] = new Type(channel === "iopub" ? {} : { routingId: identity }));
        if (channel === "iopub") socket.subscribe();
        socket.connect(`tcp://127.0.0.1:${connection[channel + "_port"]}`);
        this.read(channel, socket);
      }
    }

    async read(channel, socket) {
      for await (const frames of socket) {
        const start = frames.findIndex((frame) => frame.toString() === DELIMITER) + 1;
        const parts = frames.slice(start + 1, start + 5);
        if (sign(parts) !== frames[start].toString()) throw new Error("the kernel signed wrongly");
        const [header, parent_header, metadata, content] = parts.map((part) => JSON.parse(part.toString()));
        // the subscription holds from here on: what is published before it would be missed
        if (header.msg_type === "iopub_welcome") this.onopen({});
        else this.onmessage({ data: JSON.stringify({ channel, header, parent_header, metadata, content, buffers: [] }) });
      }
    }

    send(text) {
      const message = JSON.parse(text);
      const parts = ["header", "parent_header", "metadata", "content"].map((name) => JSON.stringify(message[name] ?? {}));
      // a socket takes one message after the other
      this.sent = this.sent.then(() => this.sockets[message.channel].send([DELIMITER, sign(parts), ...parts]));
    }

    close() {
      Object.values(this.sockets).forEach((socket) => socket.close());
    }
  };
}

async function main(folder) {
  const spec = JSON.parse(readFileSync(join(folder, "kernel.json")));
  const connection = { ip: "127.0.0.1", transport: "tcp", signature_scheme: "hmac-sha256", key: randomUUID() };
  for (const channel of ["shell", "control", "stdin", "iopub", "hb"]) connection[channel + "_port"] = await freePort();
  const place = mkdtempSync(join(tmpdir(), "raw-kernel-"));
  const file = join(place, "connection.json");
  writeFileSync(file, JSON.stringify(connection), { mode: 0o600 });
  const argv = spec.argv.map((word) => word.replace("{connection_file}", file));
  console.log(`starts: ${spec.display_name}, interrupt_mode ${spec.interrupt_mode}`);
  const child = spawn(argv[0], argv.slice(1), { env: { ...process.env, ...spec.env }, stdio: ["ignore", "inherit", "inherit"] });
  const ended = new Promise((done) => child.on("exit", done));

  const serverSettings = ServerConnection.makeSettings({ WebSocket: rawSocketFor(connection), wsUrl: "ws://127.0.0.1/" });
  const kernel = new KernelConnection({ serverSettings, model: { name: "raw", id: randomUUID() }, clientId: randomUUID(), handleComms: true });
  const info = await kernel.info;
  console.log(`kernel_info: ${info.implementation} ${info.implementation_version}, protocol ${info.protocol_version}, ${info.language_info.name} ${info.language_info.version}`);

  const run = async (code, whenBusy) => {
    console.log(`\nIn: ${code}`);
    const future = kernel.requestExecute({ code, allow_stdin: true });
    future.onIOPub = ({ header, content }) => {
      if (header.msg_type === "stream") process.stdout.write(content.text);
      else if (content.data) console.log(`${header.msg_type}: ${Object.keys(content.data).join(", ")}\n${content.data["text/plain"]}`);
      else if (header.msg_type === "error") console.log(content.traceback.join("\n").replace(/\x1b\[[0-9;]*m/g, ""));
      else if (header.msg_type === "status" && content.execution_state === "busy") whenBusy?.();
    };
    future.onStdin = ({ content }) => {
      console.log(`input_request: ${content.prompt}`);
      future.sendInputReply({ status: "ok", value: "7" });
    };
    const reply = await future.done;
    console.log(`execute_reply: ${reply.content.status}`);
  };
  const control = (msgType) => kernel.sendControlMessage(
    KernelMessage.createMessage({ channel: "control", msgType, session: kernel.clientId, content: { restart: false } }), true, true).done;

  await run("var x = Tensor.randn(1024, 1024);\nx");
  await run("%track");
  await run('int columns = "1024";');
  await run('Integer.parseInt(input("how many? ")) * 6');
  const typed = await kernel.requestComplete({ code: "x.matm", cursor_pos: 6 });
  console.log(`\ncomplete "x.matm": ${typed.content.matches.join(" ")}`);
  const shown = await kernel.requestInspect({ code: "x.matmul(", cursor_pos: 9, detail_level: 0 });
  console.log(`inspect "x.matmul(": ${shown.content.data["text/plain"].replace(/\n\s*/g, " / ")}`);
  await run("while (true) { }", () => setTimeout(async () => console.log(`interrupt_reply: ${(await control("interrupt_request")).content.status}`), 500));
  await run("x.sum().shape()");
  console.log(`\nshutdown_reply: ${(await control("shutdown_request")).content.status}`);
  console.log(`the process ended with ${await ended}`);
  kernel.dispose();
  rmSync(place, { recursive: true });
  process.exit(0);
}

main(process.argv[2]).catch((error) => { console.error(error); process.exit(1); });
