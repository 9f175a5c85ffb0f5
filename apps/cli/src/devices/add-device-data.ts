import type { Command } from 'commander'
import { addPostChunks } from '../chunks/post-chunks.js'
import type { Cli } from '../cli.js'
import { addCoredumps } from '../coredumps/add-coredumps.js'
import { addUploadCoredumps } from '../coredumps/upload-coredumps.js'
import { addUploadSymbols } from '../symbols/upload-symbols.js'
import { addDevices } from './add-devices.js'

/** The devices of a project, and what comes from them. */
export function addDeviceData(program: Command, cli: Cli): void {
  addDevices(program, cli)
  addPostChunks(program.command('chunk').description('what devices send'), cli)
  addUploadCoredumps(program.command('coredump').description('a coredump of a device'), cli)
  addCoredumps(program, cli)
  addUploadSymbols(program.command('symbols').description('what coredumps are read with'), cli)
}
