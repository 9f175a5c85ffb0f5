import { Page } from '../parts/page.js'
import { UserKeyCard } from './user-key-card.js'

/** `…/settings/user-api-key`. It stands under a project because people look for it there; it is the user's. */
export function UserKeyPage() {
  return (
    <Page
      title="User API Key"
      about="It is yours, and works in every organization that you belong to. For automation use an organization auth token."
    >
      <UserKeyCard />
    </Page>
  )
}
