import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addExportAuditEntries } from './export-audit-entries.js'
import { addListAuditEntries } from './list-audit-entries.js'
import { addVerifyAuditEntries } from './verify-audit-entries.js'

export function addAuditLog(program: Command, cli: Cli): void {
  const group = program.command('audit-log').description('the audit log of an organization')
  addListAuditEntries(group, cli)
  addExportAuditEntries(group, cli)
  addVerifyAuditEntries(group, cli)
}
