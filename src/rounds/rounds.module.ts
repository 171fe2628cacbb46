/** Rounds: opening, closing, and the entry of results. */
import { Module } from '@nestjs/common';

@Module({})
export class RoundsModule {}
