import type { CallOutput } from '@bearing/client/call-types'
import { makeCall } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { ConfirmButton } from '../parts/confirm.js'
import { Problem } from '../parts/problem.js'
import { Select } from '../parts/select.js'
import { Table } from '../parts/table.js'
import { FromProvider } from './from-provider.js'
import { CHANGED, ROLES } from './roles.js'

type Member = CallOutput<'listProjectMembers'>['data'][number]

export function ProjectMemberTable({ members }: { readonly members: readonly Member[] }) {
  const { organizationSlug: organization, projectSlug: project, refused, user } = useScope()
  const set = useAction((user_id: string, role: Member['role']) =>
    makeCall('setProjectMember', { organization, project, user_id, role }, ...CHANGED),
  )
  const why = refused('project-member:manage')
  return (
    <>
      <Problem error={set.error} />
      <Table
        rows={members}
        idOf={(member) => member.user_id}
        columns={[
          {
            title: 'Email address',
            isRowHeader: true,
            sortBy: ({ email }) => email,
            cell: (member) => (
              <>
                {member.email} {member.user_id === user?.user_id && <span className="badge accent">you</span>}
              </>
            ),
          },
          {
            title: 'Role',
            sortBy: ({ role }) => role,
            cell: (member) =>
              member.connection_id ? (
                <FromProvider>{ROLES.find(({ id }) => id === member.role)?.text}</FromProvider>
              ) : why ? (
                ROLES.find(({ id }) => id === member.role)?.text
              ) : (
                <Select
                  label={`Role of ${member.email}`}
                  isLabelHidden
                  options={ROLES}
                  value={member.role}
                  onChange={(role) => void set.run(member.user_id, role)}
                />
              ),
          },
          {
            title: 'Actions',
            isActions: true,
            cell: (member) =>
              !why &&
              !member.connection_id && (
                <ConfirmButton
                  look="small danger"
                  permission="project-member:manage"
                  text="Remove"
                  label={`Remove ${member.email} from the project`}
                  title={`Remove ${member.email} from the project?`}
                  verb="Remove"
                  onConfirm={() => {
                    const { user_id } = member
                    return makeCall('removeProjectMember', { organization, project, user_id }, ...CHANGED)
                  }}
                >
                  <p>
                    Within a second they reach this project no more. They stay a member of the organization.
                  </p>
                </ConfirmButton>
              ),
          },
        ]}
      />
    </>
  )
}
