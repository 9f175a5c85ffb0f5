import { readFileSync } from 'node:fs'
import type { CallInput, CallOutput } from '@bearing/client/call-types'
import {
  SERIAL_PLACEHOLDER,
  SERIAL_SOURCES,
  deviceCaCode,
} from '@bearing/contracts/identity/devices/device-ca'
import { answer, idOf, oneOf, type ValuesOf } from '../ground/arguments.js'
import type { Cells } from '../ground/output/cells.js'
import { ID, callVerb, listVerb, verb } from '../session/verb.js'

const FROM_LIST = 'bearing device-cas list'
const CA = { '<id>': idOf(`id of the CA certificate, from "${FROM_LIST}"`, FROM_LIST) } as const
const RULE = {
  '--serial-from <name>': oneOf(
    'name in certificates of devices that contains the serial number (default: subject_cn)',
    SERIAL_SOURCES,
  ),
  '--pattern <text>': `form of that name, such as urn:device:${SERIAL_PLACEHOLDER} (default: ${SERIAL_PLACEHOLDER})`,
  '--just-in-time <answer>': answer('whether the first request of a device registers its key (default: no)'),
} as const
const SHOWN: Cells<CallOutput<'createDeviceCa'>> = {
  ...{ Id: 'id', Subject: 'subject', 'Serial from': 'serial_from', Pattern: 'serial_pattern' },
  'Just in time': ({ just_in_time }) => (just_in_time ? 'yes' : 'no'),
  Expires: 'expires_at',
}

listVerb('device-cas list', {
  about: 'list the CA certificates of a project',
  list: 'listDeviceCas',
  columns: SHOWN,
  empty: 'No CA certificates yet. Register one: bearing device-cas add',
})

verb('device-cas code', {
  about: 'print the common name that the verification certificate of a CA needs',
  help: 'The CA signs a certificate with this common name: it proves that you have the CA key.',
  run: async (cli) => {
    const { client, organization, project } = await cli.session()
    const { id } = await client.call('showProject', { organization, project })
    cli.output.record({ Code: deviceCaCode(id) }, { code: deviceCaCode(id) })
  },
})

callVerb('device-cas add', {
  about: 'register a CA whose certificates devices of the project have',
  takes: {
    '<certificate>': 'PEM of the CA certificate',
    '<verification>':
      'PEM of a certificate that the CA has signed, with the common name of "bearing device-cas code"',
    ...RULE,
  },
  examples: ['ca.pem verification.pem --just-in-time yes'],
  call: 'createDeviceCa',
  input: ({ certificate, verification, ...rule }) => ({
    certificate: readFileSync(certificate, 'utf8'),
    verification_certificate: readFileSync(verification, 'utf8'),
    ...ruleOf(rule),
  }),
  done: 'CA certificate registered.',
  show: SHOWN,
})

callVerb('device-cas set', {
  about: 'change how devices with certificates of a CA are registered',
  takes: { ...CA, ...RULE },
  examples: [`${ID} --just-in-time no`],
  call: 'changeDeviceCa',
  input: ({ id: device_ca_id, ...rule }) => ({ device_ca_id, ...ruleOf(rule) }),
  done: 'CA certificate changed.',
  show: SHOWN,
})

callVerb('device-cas delete', {
  about: 'delete a CA certificate, and revoke the keys that it registered',
  takes: CA,
  examples: [ID],
  question: 'Delete the CA certificate? Devices that it registered are rejected immediately.',
  call: 'deleteDeviceCa',
  input: ({ id: device_ca_id }) => ({ device_ca_id }),
  done: 'CA certificate deleted.',
})

type Rule = Pick<CallInput<'changeDeviceCa'>, 'just_in_time' | 'serial_from' | 'serial_pattern'>

function ruleOf({ serialFrom, pattern, justInTime }: ValuesOf<typeof RULE>): Rule {
  return {
    ...(serialFrom !== undefined && { serial_from: serialFrom }),
    ...(pattern !== undefined && { serial_pattern: pattern }),
    ...(justInTime !== undefined && { just_in_time: justInTime }),
  }
}
