import type { CallInput } from '@bearing/client/call-types'
import { readFileSync } from 'node:fs'
import { LIMIT, idOf } from '../ground/arguments.js'
import { readSpan } from '../ground/times.js'
import { ID, verb, callVerb } from '../session/verb.js'

const SERIAL = { '<serial>': 'serial number of the device' } as const
const FROM_LIST = 'bearing devices keys list <serial>'

verb('devices keys list', {
  about: 'list the keys of a device',
  takes: { ...LIMIT, ...SERIAL },
  examples: ['DEVICE-0001'],
  run: async (cli, { serial: device_serial, limit }) => {
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
  },
})

callVerb('devices keys add', {
  about: 'register a public key of a device',
  takes: {
    ...SERIAL,
    '<file>': 'PEM of the public key or of a certificate with it, or a JWK',
    '--grace <span>':
      'how long the other key of the device continues to work, such as 7d (default: it does not expire)',
  },
  examples: ['DEVICE-0001 device.pub.pem --grace 7d'],
  call: 'createDeviceKey',
  input: ({ serial: device_serial, file, grace }) => ({
    device_serial,
    public_key: keyIn(file),
    ...(grace !== undefined && { grace_seconds: readSpan(grace, '--grace') / 1_000 }),
  }),
  done: 'Key registered.',
  show: { Id: 'id', Device: 'device_serial', Algorithm: 'algorithm', Thumbprint: 'thumbprint' },
})

callVerb('devices keys revoke', {
  about: 'revoke a key of a device',
  takes: { ...SERIAL, '<id>': idOf(`id of the key, from "${FROM_LIST}"`, FROM_LIST) },
  examples: [`DEVICE-0001 ${ID}`],
  question: 'Revoke the key? Its tokens are rejected immediately.',
  call: 'revokeDeviceKey',
  input: ({ serial: device_serial, id: device_key_id }) => ({ device_serial, device_key_id }),
  done: 'Key revoked.',
})

/** The server checks what is in it. */
function keyIn(file: string): CallInput<'createDeviceKey'>['public_key'] {
  const text = readFileSync(file, 'utf8')
  return text.trimStart().startsWith('{')
    ? (JSON.parse(text) as CallInput<'createDeviceKey'>['public_key'])
    : text
}
