import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { counted } from '../ground/amounts.js'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { AddButton } from '../parts/add-button.js'
import { Empty, List } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { UrlPages } from '../parts/pages.js'
import { AddDialog } from './add-dialog.js'
import { ProjectMemberTable } from './project-member-table.js'

const PER_PAGE = 50

/** `…/settings/members`: members with a role of their own in the project. */
export function ProjectMembersPage() {
  const { organizationSlug: organization, projectSlug: project, project: shown } = useScope()
  const [{ page }] = useUrlState(['page'])
  const at = Math.max(1, Number(page) || 1)
  const members = useQuery({
    ...calling(['project-members', organization, project, at], 'listProjectMembers', {
      organization,
      project,
      page: at,
      per_page: PER_PAGE,
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title="Project Members"
      about={`Members with a role of their own in ${shown?.name ?? project}. Admins of the organization manage every project without one.`}
      action={
        <AddButton permission="project-member:manage" dialog={(close) => <AddDialog onClose={close} />}>
          Add
        </AddButton>
      }
    >
      <Loaded query={members}>
        {({ data, paging }) =>
          paging.total_count === 0 ? (
            <Empty
              title="No member has a role only in this project"
              command={`bearing --org ${organization} --project ${project} project-members set ada@example.com member`}
            >
              Add a member of the organization, here or on the command line:
            </Empty>
          ) : (
            <List
              label="Members of the project"
              count={counted(paging.total_count, 'member')}
              isStale={members.isPlaceholderData}
              pages={<UrlPages pages={paging.page_count} />}
            >
              <ProjectMemberTable members={data} />
            </List>
          )
        }
      </Loaded>
    </Page>
  )
}
