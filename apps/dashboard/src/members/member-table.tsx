import type { CallOutput } from '@bearing/client/call-types'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { Button } from '../parts/button.js'
import { Confirm } from '../parts/confirm.js'
import { Problem } from '../parts/problem.js'
import { Select } from '../parts/select.js'
import { open } from '../sign-in/return-path.js'

type Member = CallOutput<'listMembers'>['data'][number]

export const ROLES = [
  { id: 'member', text: 'Member', hint: 'Sees the projects that they have a role in.' },
  { id: 'admin', text: 'Admin', hint: 'Manages the organization and all of its projects.' },
] as const

export function MemberTable({
  members,
  onChanged,
}: {
  readonly members: readonly Member[]
  readonly onChanged: () => void
}) {
  const { organizationSlug: organization, refused, user } = useScope()
  const [removed, setRemoved] = useState<Member>()
  const setRole = useAction(async (user_id: string, role: Member['role']) => {
    await client.call('setMemberRole', { organization, user_id, role })
    onChanged()
  })
  const mayManage = !refused('member:manage')
  const isSelf = removed?.user_id === user?.user_id
  return (
    <>
      <Problem error={setRole.error} />
      <div className="table-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">Email address</th>
              <th scope="col">Role</th>
              <th scope="col">Projects with a role of their own</th>
              <th scope="col" className="end">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => {
              const isUser = member.user_id === user?.user_id
              return (
                <tr key={member.user_id}>
                  <th scope="row">
                    {member.email} {isUser && <span className="badge accent">you</span>}
                  </th>
                  <td data-label="Role">
                    {mayManage ? (
                      <Select
                        label={`Role of ${member.email}`}
                        isLabelHidden
                        options={ROLES}
                        value={member.role}
                        onChange={(role) =>
                          void setRole.run(member.user_id, role === 'admin' ? 'admin' : 'member')
                        }
                      />
                    ) : (
                      ROLES.find(({ id }) => id === member.role)?.text
                    )}
                  </td>
                  <td data-label="Projects">{member.role === 'admin' ? 'all' : member.projects.length}</td>
                  <td className="end">
                    {(mayManage || isUser) && (
                      <Button
                        look="small danger"
                        aria-label={isUser ? 'Leave the organization' : `Remove ${member.email}`}
                        onPress={() => {
                          setRemoved(member)
                        }}
                      >
                        {isUser ? 'Leave' : 'Remove'}
                      </Button>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {removed && (
        <Confirm
          title={isSelf ? 'Leave the organization?' : `Remove ${removed.email}?`}
          verb={isSelf ? 'Leave' : 'Remove'}
          onClose={() => {
            setRemoved(undefined)
          }}
          onConfirm={async () => {
            await client.call('removeMember', { organization, user_id: removed.user_id })
            if (isSelf) open('/app')
            else onChanged()
          }}
        >
          <p>
            {isSelf ? 'Your' : 'Their'} sessions and API key stop for this organization within a second.
            Tokens that {isSelf ? 'you' : 'they'} created continue to work: they are the organization&apos;s.
          </p>
        </Confirm>
      )}
    </>
  )
}
