import { OperationError, invalidInput } from '@bearing/contracts/errors'
import { passwordMistake } from '../../ground/rules/password-rules.js'
import type { BreachedFile } from './breached-file.js'

/** The contract refuses shorter passwords. */
const MIN_LENGTH = 12

/** Reads the built-in list. Loaded by the first new password: it takes memory, and most processes never see one. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= MIN_LENGTH))
}

/** Refuses weak new passwords, without outbound requests. */
export class NewPasswords {
  private common: Promise<ReadonlySet<string>> | undefined

  /** @param breached the operator's list, besides the small built-in one */
  constructor(private readonly breached: BreachedFile | undefined) {}

  /**
   * Refuses a password that attackers try first.
   *
   * @param email of the account
   * @param pointer to the password in the input
   * @throws OperationError `invalid_input`; `service_unavailable` if the operator's list cannot be read
   */
  async refuseBad(password: string, email: string, pointer = '/password'): Promise<void> {
    const detail = passwordMistake(password, email) ?? (await this.foundIn(password))
    if (detail !== undefined) throw invalidInput(pointer, detail)
  }

  private async foundIn(password: string): Promise<string | undefined> {
    const common = await (this.common ??= readCommon())
    const known = common.has(password.toLowerCase()) || (await this.isBreached(password))
    return known
      ? 'is on a list of stolen passwords, which attackers try first; choose another one, for example four or five unrelated words'
      : undefined
  }

  private async isBreached(password: string): Promise<boolean> {
    try {
      return (await this.breached?.has(password)) ?? false
    } catch (cause) {
      throw new OperationError(
        'service_unavailable',
        'New passwords cannot be checked right now.',
        {},
        { cause },
      )
    }
  }
}
