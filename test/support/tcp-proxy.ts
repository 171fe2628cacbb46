/**
 * A TCP proxy on loopback in front of a server under test, for what a network does: connections that break, a server
 * that cannot be reached, and one that takes everything and answers nothing.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as open, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.js';

export class TcpProxy {
  readonly port: number;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server;
  #stalled = false;
  #unanswered: string | null = null;
  #broken = { connections: 0, afterBytes: 0 };

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (socket) => this.#forward(socket));
  }

  /** On a free port, or on this one. */
  static async start(target: number, port?: number): Promise<TcpProxy> {
    const server = createServer().listen(port ?? (await freePort()), '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, target);
  }

  /** Breaks every connection; new ones are taken. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Breaks every connection and refuses new ones. */
  async goAway(): Promise<void> {
    this.#server.close();
    this.dropConnections();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  async comeBack(): Promise<void> {
    const server = createServer().listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    server.on('connection', (socket) => this.#forward(socket));
    this.#server = server;
  }

  /** Takes everything and passes nothing on, in either direction. */
  stall(): void {
    this.#stalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** The connections that are open go dead without a word; new ones work. */
  stallConnections(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  /** Connections go dead without a word when something with this text is asked on them. */
  stallOn(text: string): void {
    this.#unanswered = text;
  }

  /** Breaks so many of the next connections, each when so many bytes of the answer have passed. */
  breakNext(connections: number, afterBytes: number): void {
    this.#broken = { connections, afterBytes };
  }

  resume(): void {
    this.#stalled = false;
    this.#unanswered = null;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.goAway();
    else this.dropConnections();
  }

  #forward(near: Socket): void {
    const far = open(this.#target, '127.0.0.1');
    this.#join(near, far);
    this.#join(far, near);
    if (this.#broken.connections > 0) this.#breakLater(near, far);
  }

  #breakLater(near: Socket, far: Socket): void {
    const { afterBytes } = this.#broken;
    this.#broken.connections -= 1;
    far.on('data', () => {
      if (far.bytesRead >= afterBytes) near.resetAndDestroy();
    });
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (bytes) => {
      if (this.#unanswered === null || !bytes.includes(this.#unanswered)) to.write(bytes);
      else from.pause();
    });
    from.on('error', () => to.destroy());
    from.on('end', () => to.end());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    if (this.#stalled) from.pause();
  }
}
