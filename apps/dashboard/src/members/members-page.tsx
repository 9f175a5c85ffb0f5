import type { OrganizationRole } from '@bearing/contracts/principal'
import { useQuery } from '@tanstack/react-query'
import { count, counted } from '../ground/amounts.js'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { useInput } from '../ground/use-input.js'
import { AddButton } from '../parts/add-button.js'
import { Choice } from '../parts/choice.js'
import { quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { SaveDialog } from '../parts/form-dialog.js'
import { Empty, List } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { Pages } from '../parts/pages.js'
import { useSave } from '../parts/save-form.js'
import { SearchField } from '../parts/search-field.js'
import { InvitationTable } from './invitation-table.js'
import { MemberTable, ROLES } from './member-table.js'
import { CHANGED } from './roles.js'

/** The most members that one request reads. */
const READ = 1_000
const PER_PAGE = 50

/** `…/admin/members`: who is in the organization, and who is invited. */
export function MembersPage() {
  const { organizationSlug: organization, organization: shown, refused } = useScope()
  const [{ q, page }, change] = useUrlState(['q', 'page'])
  const members = useQuery(
    calling(['members', organization, 'page'], 'listMembers', { organization, per_page: READ }),
  )
  return (
    <Page
      title="Members"
      about={`Who can sign in to ${shown?.name ?? organization}, and what they may do.`}
      action={
        <AddButton permission="invitation:create" dialog={(close) => <InviteDialog onClose={close} />}>
          Invite
        </AddButton>
      }
    >
      <Loaded query={members}>
        {({ data: list, paging }) => {
          const found = list.filter(({ email }) => email.includes(q.trim().toLowerCase()))
          const isPart = paging.total_count > list.length
          const pages = Math.max(1, Math.ceil(found.length / PER_PAGE))
          const at = Math.min(Math.max(1, Number(page) || 1), pages)
          return (
            <List
              label="Members"
              filters={
                <SearchField
                  placeholder="Email address"
                  value={q}
                  onSearch={(text) => change({ q: text, page: '' })}
                />
              }
              count={
                counted(found.length, 'member') +
                (isPart ? ` among the first ${count(list.length)} of ${count(paging.total_count)}` : '')
              }
              pages={<Pages at={at} pages={pages} onPage={(next) => change({ page: String(next) })} />}
            >
              {found.length === 0 ? (
                <Empty title="No member matches">Clear the search to see all members.</Empty>
              ) : (
                <MemberTable members={found} page={{ at, size: PER_PAGE }} />
              )}
            </List>
          )
        }}
      </Loaded>
      {!refused('invitation:read') && (
        <Card title="Invitations" about="A mailed link works once, for 72 hours, and only for its address.">
          <InvitationTable />
        </Card>
      )}
    </Page>
  )
}

function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization } = useScope()
  const [email, emailInput] = useInput('')
  const [role, roleInput] = useInput<OrganizationRole>('member')
  const input = { organization, email: email.trim(), role, projects: [] }
  return (
    <SaveDialog
      title="Invite a person"
      save={useSave('createInvitation', input, ...CHANGED)}
      verb="Send the invitation"
      bearing={`bearing --org ${organization} invitations create ${quoted(email || 'ada@example.com')} --role ${role}`}
      onClose={onClose}
    >
      <Field
        label="Email address"
        type="email"
        name="email"
        autoComplete="off"
        isRequired
        autoFocus
        {...emailInput}
      />
      <Choice label="Role" {...roleInput} options={ROLES} />
    </SaveDialog>
  )
}
