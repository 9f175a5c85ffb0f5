import { client, wasAnswered } from '../ground/client.js'
import type { Token } from './token-list.js'

/**
 * Runs a change that creates a token. If no answer comes, looks for what was created anyway: its secret is lost.
 *
 * @param isCreated distinguishes the token of this change from others
 * @throws what the change throws
 */
export async function withUnseen<Result>(
  organization: string,
  isCreated: (token: Token) => boolean,
  onUnseen: (tokens: readonly Token[]) => void,
  change: () => Promise<Result>,
): Promise<Result> {
  try {
    return await change()
  } catch (error) {
    if (!wasAnswered(error)) onUnseen(await tokensThat(organization, isCreated))
    throw error
  }
}

async function tokensThat(organization: string, isCreated: (token: Token) => boolean): Promise<Token[]> {
  try {
    const { data } = await client.call('listOrganizationTokens', { organization, per_page: 1_000 })
    return data.filter(isCreated)
  } catch {
    return [] // the list shows it when the connection is back
  }
}
