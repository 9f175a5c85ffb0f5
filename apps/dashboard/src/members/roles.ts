import type { ProjectRole } from '@bearing/contracts/principal'

export const ROLES: readonly { readonly id: ProjectRole; readonly text: string; readonly hint: string }[] = [
  { id: 'reader', text: 'Reader', hint: 'Sees devices and files, but neither their content nor positions.' },
  { id: 'member', text: 'Member', hint: 'Reads the data of devices, and uploads files.' },
  { id: 'manager', text: 'Manager', hint: 'Changes settings, keys, webhooks and members of the project.' },
]

/** Queries that a change of members or invitations concerns. */
export const CHANGED = [['members'], ['invitations'], ['project-members'], ['me']] as const
