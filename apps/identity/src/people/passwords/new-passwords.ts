import { OperationError } from '@bearing/contracts/errors'
import { dictionary } from '@zxcvbn-ts/language-common'
import { passwordMistake } from '../../ground/rules/password-rules.js'
import type { BreachedFile } from './breached-file.js'

/** Shorter ones are refused by the contract. */
const MIN_LENGTH = 12

/** Tells which new passwords are good enough, without asking anybody outside. */
export class NewPasswords {
  private readonly common: ReadonlySet<string>

  /** @param breached the operator's own list, beside the small one that is built in */
  constructor(private readonly breached: BreachedFile | undefined) {
    this.common = new Set(dictionary['passwords-common'].filter(({ length }) => length >= MIN_LENGTH))
  }

  /**
   * Refuses a password that others try first.
   *
   * @param email of the account
   * @param pointer to the password in the input
   * @throws OperationError `invalid_input`, or `service_unavailable` where the operator's list cannot be read
   */
  async refuseBad(password: string, email: string, pointer = '/password'): Promise<void> {
    const detail = passwordMistake(password, email) ?? (await this.foundIn(password))
    if (detail === undefined) return
    throw new OperationError('invalid_input', `${pointer} ${detail}`, { errors: [{ pointer, detail }] })
  }

  private async foundIn(password: string): Promise<string | undefined> {
    const known = this.common.has(password.toLowerCase()) || (await this.isBreached(password))
    return known
      ? 'is on a list of passwords that were stolen elsewhere, which attackers try first; take another one, for example four or five words that have nothing to do with each other'
      : undefined
  }

  private async isBreached(password: string): Promise<boolean> {
    try {
      return (await this.breached?.has(password)) ?? false
    } catch (cause) {
      throw new OperationError(
        'service_unavailable',
        'New passwords cannot be checked at the moment.',
        {},
        { cause },
      )
    }
  }
}
