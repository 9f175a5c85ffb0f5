import { client } from './client.js'
import { open } from './return-path.js'

/** Ends the session and shows the sign-in page. */
export async function signOut(): Promise<void> {
  await client.call('signOut', {})
  open('/sign-in')
}
