import type { CallOutput } from '@bearing/client/call-types'
import { makeCall } from '../ground/calling.js'
import { open } from '../ground/return-path.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { ConfirmButton } from '../parts/confirm.js'
import { Problem } from '../parts/problem.js'
import { Select } from '../parts/select.js'
import { Table } from '../parts/table.js'
import { FromProvider } from './from-provider.js'
import { CHANGED } from './roles.js'

type Member = CallOutput<'listMembers'>['data'][number]

export const ROLES = [
  { id: 'member', text: 'Member', hint: 'Sees the projects that they have a role in.' },
  { id: 'admin', text: 'Admin', hint: 'Manages the organization and all of its projects.' },
] as const

export function MemberTable({
  members,
  page,
}: {
  readonly members: readonly Member[]
  readonly page: { readonly at: number; readonly size: number }
}) {
  const { organizationSlug: organization, refused, user } = useScope()
  const setRole = useAction((user_id: string, role: Member['role']) =>
    makeCall('setMemberRole', { organization, user_id, role }, ...CHANGED),
  )
  const mayManage = !refused('member:manage')
  const isUser = (id: string) => id === user?.user_id
  return (
    <>
      <Problem error={setRole.error} />
      <Table
        rows={members}
        page={page}
        idOf={({ user_id }) => user_id}
        columns={[
          {
            title: 'Email address',
            isRowHeader: true,
            sortBy: ({ email }) => email,
            cell: ({ user_id, email }) => (
              <>
                {email} {isUser(user_id) && <span className="badge accent">you</span>}
              </>
            ),
          },
          {
            title: 'Role',
            sortBy: ({ role }) => role,
            cell: ({ user_id, email, role, connection_id }) =>
              connection_id ? (
                <FromProvider>{ROLES.find(({ id }) => id === role)?.text}</FromProvider>
              ) : mayManage ? (
                <Select
                  label={`Role of ${email}`}
                  isLabelHidden
                  options={ROLES}
                  value={role}
                  onChange={(chosen) => void setRole.run(user_id, chosen)}
                />
              ) : (
                ROLES.find(({ id }) => id === role)?.text
              ),
          },
          {
            title: 'Projects',
            sortBy: ({ role, projects }) => (role === 'admin' ? Infinity : projects.length),
            cell: ({ role, projects }) => (role === 'admin' ? 'all' : projects.length),
          },
          {
            title: 'Actions',
            isActions: true,
            cell: (member) =>
              (mayManage || isUser(member.user_id)) && (
                <Removal member={member} isSelf={isUser(member.user_id)} />
              ),
          },
        ]}
      />
    </>
  )
}

function Removal({
  member: { user_id, email },
  isSelf,
}: {
  readonly member: Member
  readonly isSelf: boolean
}) {
  const { organizationSlug: organization } = useScope()
  return (
    <ConfirmButton
      look="small danger"
      text={isSelf ? 'Leave' : 'Remove'}
      label={isSelf ? 'Leave the organization' : `Remove ${email}`}
      title={isSelf ? 'Leave the organization?' : `Remove ${email}?`}
      verb={isSelf ? 'Leave' : 'Remove'}
      onConfirm={async () => {
        await makeCall('removeMember', { organization, user_id }, ...(isSelf ? [] : CHANGED))
        if (isSelf) open('/app')
      }}
    >
      <p>
        {isSelf ? 'Your' : 'Their'} sessions and API key stop for this organization within a second. Tokens
        that {isSelf ? 'you' : 'they'} created continue to work: they are the organization&apos;s.
      </p>
    </ConfirmButton>
  )
}
