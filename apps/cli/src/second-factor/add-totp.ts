import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addConfirmTotp } from './confirm-totp.js'
import { addEnrollTotp } from './enroll-totp.js'
import { addDeleteTotp } from './delete-totp.js'
import { addRenewRecoveryCodes } from './renew-recovery-codes.js'
import { addShowTotp } from './show-totp.js'

export function addTotp(program: Command, cli: Cli): void {
  const group = program.command('totp').description('your second factor, an authenticator app')
  addShowTotp(group, cli)
  addEnrollTotp(group, cli)
  addConfirmTotp(group, cli)
  addDeleteTotp(group, cli)
  addRenewRecoveryCodes(group, cli)
}
