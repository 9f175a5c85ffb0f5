import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addAttributes } from './attributes.js'
import { addDataPolicy } from './data-policy.js'
import { addDeleteDevice } from './delete-device.js'
import { addDeletions } from './deletions.js'
import { addExportDevices } from './export-devices.js'
import { addImportDevices } from './import-devices.js'
import { addListDevices } from './list-devices.js'
import { addRegisterDevices } from './register-devices.js'
import { addSampling } from './sampling.js'
import { addSetDevice } from './set-device.js'
import { addShowDevice } from './show-device.js'
import { addTailDevices } from './tail-devices.js'

export function addDevices(program: Command, cli: Cli): void {
  const devices = program.command('devices').description('the devices of a project')
  addListDevices(devices, cli)
  addTailDevices(devices, cli)
  addShowDevice(devices, cli)
  addSetDevice(devices, cli)
  addAttributes(devices, cli)
  addImportDevices(devices, cli)
  addExportDevices(devices, cli)
  addRegisterDevices(devices, cli)
  addDeleteDevice(devices, cli)
  addDeletions(devices, cli)
  addDataPolicy(devices, cli)
  addSampling(devices, cli)
}
