import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { PermittedButton } from '../parts/button.js'
import { Field } from '../parts/field.js'
import { Icon } from '../parts/icon.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { Pages } from '../parts/pages.js'
import { InvitationTable } from './invitation-table.js'
import { InviteDialog } from './invite-dialog.js'
import { MemberTable } from './member-table.js'

/** The most members that one request reads. */
const READ = 1_000
const PER_PAGE = 50

/** `…/admin/members`: who is in the organization, and who is invited. */
export function MembersPage() {
  const { organizationSlug: organization, organization: shown, refused } = useScope()
  const [isInviting, setInviting] = useState(false)
  const [{ q, page }, change] = useUrlState(['q', 'page'])
  const members = useQuery({
    queryKey: ['members', organization],
    queryFn: async ({ signal }) =>
      (await client.call('listMembers', { organization, per_page: READ }, { signal })).data,
  })
  const reread = () => {
    void queryClient.invalidateQueries({ queryKey: ['members', organization] })
    void queryClient.invalidateQueries({ queryKey: ['invitations', organization] })
    void queryClient.invalidateQueries({ queryKey: ['me'] })
  }
  return (
    <Page
      title="Members"
      about={`Who can sign in to ${shown?.name ?? organization}, and what they may do.`}
      action={
        <PermittedButton
          look="primary"
          refused={refused('invitation:create')}
          permission="invitation:create"
          onPress={() => {
            setInviting(true)
          }}
        >
          <Icon name="plus" /> Invite
        </PermittedButton>
      }
    >
      <Loaded query={members}>
        {(list) => {
          const found = list.filter(({ email }) => email.includes(q.trim().toLowerCase()))
          const pages = Math.max(1, Math.ceil(found.length / PER_PAGE))
          const at = Math.min(Math.max(1, Number(page) || 1), pages)
          return (
            <section className="stack" aria-label="Members">
              <div className="row filters">
                <Field
                  label="Search"
                  name="q"
                  type="search"
                  placeholder="Email address"
                  value={q}
                  onChange={(value) => {
                    change({ q: value, page: '' })
                  }}
                />
                <p className="quiet" role="status">
                  {found.length === 1 ? '1 member' : `${String(found.length)} members`}
                </p>
              </div>
              {found.length === 0 ? (
                <p className="empty">No member matches.</p>
              ) : (
                <MemberTable members={found.slice((at - 1) * PER_PAGE, at * PER_PAGE)} onChanged={reread} />
              )}
              {pages > 1 && (
                <Pages
                  at={at}
                  pages={pages}
                  onPage={(next) => {
                    change({ page: String(next) })
                  }}
                />
              )}
            </section>
          )
        }}
      </Loaded>
      {!refused('invitation:read') && (
        <Card title="Invitations" about="A mailed link works once, for 72 hours, and only for its address.">
          <InvitationTable onChanged={reread} />
        </Card>
      )}
      {isInviting && (
        <InviteDialog
          onClose={() => {
            setInviting(false)
            reread()
          }}
        />
      )}
    </Page>
  )
}
