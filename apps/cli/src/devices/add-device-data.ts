import type { Command } from 'commander'
import { addDownloadChunk } from '../chunks/download-chunk.js'
import { addListChunks } from '../chunks/list-chunks.js'
import { addPostChunks } from '../chunks/post-chunks.js'
import type { Cli } from '../cli.js'
import { addCoredumps } from '../coredumps/add-coredumps.js'
import { addUploadCoredumps } from '../coredumps/upload-coredumps.js'
import { addFiles } from '../coredumps/list-files.js'
import { addUploadSymbols } from '../symbols/upload-symbols.js'
import { addDevices } from './add-devices.js'

export function addDeviceData(program: Command, cli: Cli): void {
  addDevices(program, cli)
  const chunk = program.command('chunk').description('chunks of devices')
  addPostChunks(chunk, cli)
  addListChunks(chunk, cli)
  addDownloadChunk(chunk, cli)
  addUploadCoredumps(program.command('coredump').description('a coredump of a device'), cli)
  addCoredumps(program, cli)
  addFiles(program, cli)
  addUploadSymbols(program.command('symbols').description('symbols for reading coredumps'), cli)
}
