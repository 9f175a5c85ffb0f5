import { idOf } from '../ground/arguments.js'
import { ID, callVerb, listVerb } from '../session/verb.js'

listVerb('passkeys list', {
  about: 'list your passkeys; add one on the account page of the dashboard',
  list: 'listPasskeys',
  columns: { Name: 'name', Added: 'created_at', 'Last used': 'last_used_at', Id: 'id' },
  empty: 'You have no passkey. Add one on the account page of the dashboard.',
})

const PASSKEY = {
  '<id>': idOf('id of the passkey, from "bearing passkeys list"', 'bearing passkeys list'),
} as const

callVerb('passkeys rename', {
  about: 'rename one of your passkeys',
  takes: { ...PASSKEY, '<name>': 'the new name' },
  examples: [`${ID} "Security key"`],
  call: 'renamePasskey',
  input: ({ id: passkey_id, name }) => ({ passkey_id, name }),
  done: 'Passkey renamed.',
  show: { Name: 'name', Id: 'id' },
})

callVerb('passkeys delete', {
  about: 'remove one of your passkeys',
  takes: PASSKEY,
  examples: [ID],
  question: 'Remove the passkey? It signs you in no more.',
  call: 'removePasskey',
  input: ({ id: passkey_id }) => ({ passkey_id }),
  done: 'Passkey removed.',
  show: {},
})
