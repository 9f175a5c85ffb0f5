import type { CallOutput } from '@bearing/client/call-types'
import { SAMPLING_LEVELS, type Sampling } from '@bearing/contracts/management/devices/sampling'
import type { z } from 'zod'
import { verb, callVerb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { oneOf } from '../ground/arguments.js'

type Levels = z.output<typeof Sampling>
type Level = Levels['debugging']

/** Flags of a command that sets sampling levels; `project` as a level follows the project. */
export type SamplingFlags<Other = never> = Partial<Record<keyof Levels, Level | Other | undefined>>

/** Returns the options `--debugging`, `--logging` and `--monitoring`. */
export function samplingFlags<const Word extends string>(levels: readonly Word[]) {
  return {
    '--debugging <level>': oneOf('coredumps, traces and recordings that agents send', levels),
    '--logging <level>': oneOf('logs that agents send', levels),
    '--monitoring <level>': oneOf('metrics that agents send', levels),
  } as const
}

const SERIAL = { '<serial>': 'serial number of the device' } as const

callVerb('devices sampling show', {
  about: 'show what the agent of a device sends, where that differs from the project',
  takes: SERIAL,
  examples: ['DEVICE-0001'],
  call: 'showDevice',
  input: ({ serial: device_serial }) => ({ device_serial }),
  after: print,
})

verb('devices sampling set', {
  about: 'change what the agent of a device sends; without flags it shows that',
  takes: { ...samplingFlags([...SAMPLING_LEVELS, 'project']), ...SERIAL },
  examples: ['DEVICE-0001 --logging high'],
  run: async (cli, { serial: device_serial, ...flags }) => {
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
  },
})

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
