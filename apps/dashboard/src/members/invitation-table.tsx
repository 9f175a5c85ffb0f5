import { useQuery } from '@tanstack/react-query'
import { makeCall, listing } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { Button } from '../parts/button.js'
import { Loaded } from '../parts/loaded.js'
import { Problem } from '../parts/problem.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { CHANGED } from './roles.js'

/** The newest invitations that are listed. */
const SHOWN = 50

const LOOKS = { pending: 'attention', accepted: 'good', revoked: '', expired: '' } as const

export function InvitationTable() {
  const { organizationSlug: organization } = useScope()
  const invitations = useQuery(
    listing(['invitations', organization], 'listInvitations', { organization, per_page: SHOWN }),
  )
  const action = useAction((name: 'resendInvitation' | 'revokeInvitation', invitation_id: string) =>
    makeCall(name, { organization, invitation_id }, ...CHANGED),
  )
  return (
    <Loaded query={invitations} lines={1}>
      {(list) => (
        <>
          <Problem error={action.error} />
          <Table
            empty="No open invitations."
            rows={list}
            idOf={({ id }) => id}
            columns={[
              {
                title: 'Email address',
                isRowHeader: true,
                sortBy: ({ email }) => email,
                cell: ({ email, role }) => (
                  <>
                    {email} <small>as {role}</small>
                  </>
                ),
              },
              {
                title: 'State',
                sortBy: ({ state }) => state,
                cell: ({ state }) => (
                  <span className={`badge ${LOOKS[state]}`}>
                    <span className="dot" aria-hidden="true" />
                    {state}
                  </span>
                ),
              },
              {
                title: 'Ends',
                sortBy: ({ state, expires_at }) => (state === 'pending' ? expires_at : null),
                cell: ({ state, expires_at }) => state === 'pending' && <Time at={expires_at} />,
              },
              {
                title: 'Actions',
                isActions: true,
                cell: ({ id, email, state }) =>
                  (state === 'pending' || state === 'expired') && (
                    <div className="row">
                      <Button
                        look="small"
                        aria-label={`Send again to ${email}`}
                        onPress={() => void action.run('resendInvitation', id)}
                      >
                        Send again
                      </Button>
                      {state === 'pending' && (
                        <Button
                          look="small danger"
                          aria-label={`Revoke the invitation of ${email}`}
                          onPress={() => void action.run('revokeInvitation', id)}
                        >
                          Revoke
                        </Button>
                      )}
                    </div>
                  ),
              },
            ]}
          />
        </>
      )}
    </Loaded>
  )
}
