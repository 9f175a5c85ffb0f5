import type { Command } from 'commander'
import { findUserId } from '../members/find-user-id.js'
import { readMoment } from '../moment.js'
import type { Session } from '../session.js'

/** Filters of an audit log, as flags. */
export interface FilterFlags {
  readonly action?: string
  readonly actor?: string
  readonly target?: string
  readonly requestId?: string
  readonly from?: string
  readonly to?: string
}

export function addFilters(command: Command): Command {
  return command
    .option(
      '--action <action>',
      'an action such as project_key.cycled, or all actions on a kind: project_key',
    )
    .option('--actor <who>', 'email address of a member, or id of a user or credential')
    .option('--target <what>', 'the target, such as user:<id>')
    .option('--request-id <id>', 'actions of one request')
    .option('--from <time>', 'start, inclusive: 2027-01-31 or 2027-01-31T09:00:00Z')
    .option('--to <time>', 'end, exclusive')
}

/** Converts the flags to fields of the operation. */
export async function filtersOf(session: Session, flags: FilterFlags) {
  const { action, actor, target, requestId, from, to } = flags
  return {
    ...(action !== undefined && { action }),
    ...(actor !== undefined && { actor: await findUserId(session, actor) }),
    ...(target !== undefined && { target }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(from !== undefined && { from: readMoment('--from', from) }),
    ...(to !== undefined && { to: readMoment('--to', to) }),
  }
}
