import { config } from 'zod'

/** The content security policy forbids to generate code; without this zod tries it, and the browser reports a violation. */
config({ jitless: true })
