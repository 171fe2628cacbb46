/** Rows as files. */
import { Module } from '@nestjs/common';
import { FileEncoder } from './file-encoder.js';

@Module({ providers: [FileEncoder], exports: [FileEncoder] })
export class DownloadsModule {}
