import type { CallOutput } from '@bearing/client/call-types'
import { SAMPLING_LEVELS, type Sampling } from '@bearing/contracts/management/devices/sampling'
import { Option, type Command } from 'commander'
import type { z } from 'zod'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'

type Levels = z.output<typeof Sampling>
type Level = Levels['debugging']

/** Flags of a command that sets sampling levels; `project` as a level follows the project. */
export type SamplingFlags<Other = never> = Partial<Record<keyof Levels, Level | Other>>

/** Adds the options `--debugging`, `--logging` and `--monitoring`. */
export function withSampling(command: Command, levels: readonly string[] = SAMPLING_LEVELS): Command {
  return command
    .addOption(
      new Option('--debugging <level>', 'coredumps, traces and recordings that agents send').choices(levels),
    )
    .addOption(new Option('--logging <level>', 'logs that agents send').choices(levels))
    .addOption(new Option('--monitoring <level>', 'metrics that agents send').choices(levels))
}

const SERIAL = ['<serial>', 'serial number of the device'] as const

verb('devices sampling show', { examples: ['DEVICE-0001'] }, (command, cli) =>
  command
    .description('show what the agent of a device sends, where that differs from the project')
    .argument(...SERIAL)
    .action(async (device_serial: string) => {
      const { client, organization, project } = await cli.session()
      print(cli, await client.call('showDevice', { organization, project, device_serial }))
    }),
)

verb('devices sampling set', { examples: ['DEVICE-0001 --logging high'] }, (command, cli) =>
  withSampling(command, [...SAMPLING_LEVELS, 'project'])
    .description('change what the agent of a device sends; without flags it shows that')
    .argument(...SERIAL)
    .action(async (device_serial: string, flags: SamplingFlags<'project'>) => {
      const { client, organization, project } = await cli.session()
      const address = { organization, project, device_serial }
      let device = await client.call('showDevice', address)
      if (Object.keys(flags).length > 0) {
        const level = (given: Level | 'project' | undefined, before: Level | undefined) =>
          given === 'project' ? null : (given ?? before)
        device = await client.call('setDeviceSampling', {
          ...address,
          debugging: level(flags.debugging, device.sampling.debugging),
          logging: level(flags.logging, device.sampling.logging),
          monitoring: level(flags.monitoring, device.sampling.monitoring),
        })
        cli.output.done('Sampling changed.')
      }
      print(cli, device)
    }),
)

function print({ output }: Cli, device: CallOutput<'showDevice'>): void {
  const { debugging, logging, monitoring } = device.sampling
  output.record(
    {
      Serial: device.device_serial,
      Debugging: debugging ?? 'as the project',
      Logging: logging ?? 'as the project',
      Monitoring: monitoring ?? 'as the project',
    },
    device,
  )
}
