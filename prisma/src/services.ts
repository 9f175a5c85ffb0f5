/** The services that have tables: each has a Postgres schema of its name, and a role that reaches nothing else. */
export const SERVICES = ['identity', 'management', 'location'] as const
/** One of {@link SERVICES}. */
export type Service = (typeof SERVICES)[number]
