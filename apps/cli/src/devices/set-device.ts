import { readAttribute, ATTRIBUTE_FAULTS } from '@bearing/contracts/management/devices/attribute-text'
import type { AttributeValue } from '@bearing/contracts/management/devices/device-attribute'
import { InvalidArgumentError, type Command } from 'commander'
import type { Cli } from '../cli.js'
import type { Session } from '../session.js'
import { UsageError } from '../usage-error.js'
import { deviceFields } from './show-device.js'

type Pair = readonly [name: string, value: string]

interface Flags {
  readonly nickname?: string
  readonly attribute?: readonly Pair[]
}

export function addSetDevice(devices: Command, cli: Cli): void {
  devices
    .command('set')
    .description('set the nickname and attributes of a device')
    .argument('<serial>', 'serial number of the device')
    .option('--nickname <name>', 'name for people; empty to remove it')
    .option('--attribute <name=value...>', 'a declared attribute; empty value to remove it', pair)
    .action(async (device_serial: string, { nickname, attribute: pairs }: Flags) => {
      if (nickname === undefined && pairs === undefined)
        throw new UsageError('Use --nickname or --attribute.')
      const session = await cli.session()
      const { client, organization, project } = session
      const attributes = pairs && (await valuesOf(session, pairs))
      const device = await client.call('changeDevice', {
        ...{ organization, project, device_serial },
        ...(nickname !== undefined && { nickname: nickname === '' ? null : nickname }),
        ...(attributes && { attributes }),
      })
      cli.output.done('Device changed.')
      cli.output.record(deviceFields(device), device)
    })
}

function pair(text: string, before: readonly Pair[] = []): readonly Pair[] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Use a name, "=" and a value.')
  return [...before, [name, value]]
}

/** Converts texts to values of the declared types. */
async function valuesOf(
  { client, organization, project }: Session,
  pairs: readonly Pair[],
): Promise<Record<string, AttributeValue | null>> {
  const declared = await client.listAll('listAttributes', { organization, project })
  const values = pairs.map(([name, text]) => {
    const type = declared.find((attribute) => attribute.name === name)?.type ?? 'string'
    const value = text === '' ? null : readAttribute(type, text)
    if (value === undefined) throw new UsageError(`The value of "${name}" ${ATTRIBUTE_FAULTS[type]}.`)
    return [name, value] as const
  })
  return Object.fromEntries(values)
}
