import { idOf } from '../ground/arguments.js'
import { ID, callVerb, listVerb } from '../session/verb.js'

listVerb('passkeys list', {
  about: 'list your passkeys; add one on the account page of the dashboard',
  list: 'listPasskeys',
  columns: { Name: 'name', Added: 'created_at', 'Last used': 'last_used_at', Id: 'id' },
  empty: 'You have no passkey. Add one on the account page of the dashboard.',
})

callVerb('passkeys delete', {
  about: 'remove one of your passkeys',
  takes: { '<id>': idOf('id of the passkey, from "bearing passkeys list"', 'bearing passkeys list') },
  examples: [ID],
  question: 'Remove the passkey? It signs you in no more.',
  call: 'removePasskey',
  input: ({ id: passkey_id }) => ({ passkey_id }),
  done: 'Passkey removed.',
  show: {},
})
