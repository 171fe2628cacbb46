/** Executes a command of a client. Then it waits until reads on this node show what the command did, 2 s at most. */
import { Injectable } from '@nestjs/common';
import { type Command, CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import { ReadYourWrites } from './read-your-writes.js';

@Injectable()
export class VisibleCommands {
  constructor(
    private readonly commands: CommandBus,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** Throws what the command's handler throws. */
  async execute<R extends Receipt>(command: Command<R>, reply: FastifyReply): Promise<R> {
    const receipt = await this.commands.execute(command);
    await this.readYourWrites.waitUntilVisible(receipt.position, reply);
    return receipt;
  }
}
