import type { CallInput } from '@bearing/client/call-types'
import { readFileSync } from 'node:fs'
import { addLimit, idFrom, type LimitFlag } from '../ground/arguments.js'
import { readSpan } from '../ground/times.js'
import { ID, verb } from '../session/verb.js'

const SERIAL = ['<serial>', 'serial number of the device'] as const
const FROM_LIST = 'bearing devices keys list <serial>'

verb('devices keys list', { examples: ['DEVICE-0001'] }, (command, cli) =>
  addLimit(command)
    .description('list the keys of a device')
    .argument(...SERIAL)
    .action(async (device_serial: string, { limit }: LimitFlag) => {
      const { client, organization, project } = await cli.session()
      cli.output.table(
        await client.listAll('listDeviceKeys', { organization, project, device_serial }, { limit }),
        {
          Id: 'id',
          Algorithm: 'algorithm',
          Thumbprint: 'thumbprint',
          Created: 'created_at',
          'Last used': 'last_used_at',
          Expires: 'expires_at',
        },
        'No keys yet. Register one: bearing devices keys add <serial> <file>',
      )
    }),
)

verb('devices keys add', { examples: ['DEVICE-0001 device.pub.pem --grace 7d'] }, (command, cli) =>
  command
    .description('register a public key of a device')
    .argument(...SERIAL)
    .argument('<file>', 'PEM of the public key or of a certificate with it, or a JWK')
    .option(
      '--grace <span>',
      'how long the other key of the device continues to work, such as 7d (default: it does not expire)',
    )
    .action(async (device_serial: string, file: string, { grace }: { readonly grace?: string }) => {
      const { client, organization, project } = await cli.session()
      const key = await client.call('createDeviceKey', {
        ...{ organization, project, device_serial, public_key: keyIn(file) },
        ...(grace !== undefined && { grace_seconds: readSpan(grace, '--grace') / 1_000 }),
      })
      cli.output.done('Key registered.')
      cli.output.record(
        { Id: key.id, Device: key.device_serial, Algorithm: key.algorithm, Thumbprint: key.thumbprint },
        key,
      )
    }),
)

verb(
  'devices keys revoke',
  { examples: [`DEVICE-0001 ${ID}`], question: 'Revoke the key? Its tokens are rejected immediately.' },
  (command, cli) =>
    command
      .description('revoke a key of a device')
      .argument(...SERIAL)
      .argument('<id>', `id of the key, from "${FROM_LIST}"`, idFrom(FROM_LIST))
      .action(async (device_serial: string, device_key_id: string) => {
        const { client, organization, project } = await cli.session()
        await client.call('revokeDeviceKey', { organization, project, device_serial, device_key_id })
        cli.output.done('Key revoked.')
      }),
)

/** The server checks what is in it. */
function keyIn(file: string): CallInput<'createDeviceKey'>['public_key'] {
  const text = readFileSync(file, 'utf8')
  return text.trimStart().startsWith('{')
    ? (JSON.parse(text) as CallInput<'createDeviceKey'>['public_key'])
    : text
}
