import type { Command } from 'commander'
import { addDownloadChunk } from '../chunks/download-chunk.js'
import { addListChunks } from '../chunks/list-chunks.js'
import { addUploadChunks } from '../chunks/upload-chunks.js'
import type { Cli } from '../cli.js'
import { addCoredumps } from '../coredumps/add-coredumps.js'
import { addFiles } from '../coredumps/list-files.js'
import { addUploadSymbols } from '../symbols/upload-symbols.js'
import { addDevices } from './add-devices.js'

export function addDeviceData(program: Command, cli: Cli): void {
  addDevices(program, cli)
  const chunks = program.command('chunks').description('chunks of devices')
  addUploadChunks(chunks, cli)
  addListChunks(chunks, cli)
  addDownloadChunk(chunks, cli)
  addCoredumps(program, cli)
  addFiles(program, cli)
  addUploadSymbols(program.command('symbols').description('symbols for reading coredumps'), cli)
}
