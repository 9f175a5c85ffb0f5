import { idOf } from '../ground/arguments.js'
import { ID, callVerb, listVerb } from '../session/verb.js'

const FROM_LIST = 'bearing devices claims list'
const CLAIM = { '<id>': idOf(`id of the claim, from "${FROM_LIST}"`, FROM_LIST) } as const

listVerb('devices claims list', {
  about: 'list the keys of devices that wait for approval',
  list: 'listDeviceClaims',
  columns: {
    ...{ Id: 'id', Device: 'device_serial', Algorithm: 'algorithm', Thumbprint: 'thumbprint' },
    ...{ From: 'client_address', Claimed: 'created_at', Expires: 'expires_at' },
  },
  empty: 'No claim waits for approval.',
})

callVerb('devices claims approve', {
  about: 'register the key of a claim',
  takes: CLAIM,
  examples: [ID],
  call: 'approveDeviceClaim',
  input: ({ id: device_claim_id }) => ({ device_claim_id }),
  done: 'Claim approved, key registered.',
  show: { Id: 'id', Device: 'device_serial', Algorithm: 'algorithm', Thumbprint: 'thumbprint' },
})

callVerb('devices claims reject', {
  about: 'reject a claim; its key is refused until the claim would have expired',
  takes: CLAIM,
  examples: [ID],
  call: 'rejectDeviceClaim',
  input: ({ id: device_claim_id }) => ({ device_claim_id }),
  done: 'Claim rejected.',
})
