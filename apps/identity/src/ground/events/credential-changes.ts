import { credentialChanged } from '@bearing/contracts/identity/credentials/credential'
import { recordEvent } from '@bearing/service/store/transactions'
import type { Transaction } from '../database.js'

/** The part of a credential that changed: see `credentialTags`. */
export type Tag = `credential:${string}` | `user:${string}` | `project:${string}` | `organization:${string}`

/** Makes all processes drop their cached answers about credentials, after the commit and before the caller continues. */
export function recordCredentialChange(transaction: Transaction, ...tags: Tag[]): void {
  recordEvent(transaction, credentialChanged, { tags })
}
