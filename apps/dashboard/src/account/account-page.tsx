import { UserKeyCard } from '../settings/user-key-card.js'
import { Page } from '../parts/page.js'
import { AboutCard } from './about-card.js'
import { AppearanceCard } from './appearance-card.js'
import { DeleteAccountCard } from './delete-account-card.js'
import { IdentitiesCard } from './identities-card.js'
import { PasswordCard } from './password-card.js'
import { SecondFactorCard } from './second-factor-card.js'
import { SessionsCard } from './sessions-card.js'

/** `/app/account`: what belongs to the user, whatever the organization. */
export function AccountPage() {
  return (
    <Page title="Account" about="Your own credentials and sessions. They count in every organization.">
      <SessionsCard />
      <SecondFactorCard />
      <PasswordCard />
      <UserKeyCard />
      <IdentitiesCard />
      <AppearanceCard />
      <AboutCard />
      <DeleteAccountCard />
    </Page>
  )
}
