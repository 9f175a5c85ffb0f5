interface Platform {
  readonly text: string
  /** Undefined: every installation has its own. */
  readonly issuer?: string
  /** True if everyone can get tokens of the issuer. */
  readonly isPublic: boolean
  /** Ids that are never given to others. A trust requires all claims of one of these groups, with exact values. */
  readonly immutable: readonly (readonly string[])[]
  /** Claims that are recorded beside the required ones. */
  readonly recorded: readonly string[]
}

/** The platforms that run workloads, and the claims of their tokens. */
export const WORKLOAD_PLATFORMS = {
  github: {
    text: 'GitHub Actions',
    issuer: 'https://token.actions.githubusercontent.com',
    isPublic: true,
    immutable: [['repository_id'], ['repository_owner_id']],
    recorded: ['repository', 'ref', 'run_id', 'workflow', 'environment', 'actor'],
  },
  gitlab: {
    text: 'GitLab',
    issuer: 'https://gitlab.com',
    isPublic: true,
    immutable: [['project_id'], ['namespace_id']],
    recorded: ['project_path', 'ref', 'ref_type', 'pipeline_id', 'job_id', 'user_login'],
  },
  buildkite: {
    text: 'Buildkite',
    issuer: 'https://agent.buildkite.com',
    isPublic: true,
    immutable: [['pipeline_id'], ['organization_id']],
    recorded: ['organization_slug', 'pipeline_slug', 'build_number', 'build_branch'],
  },
  kubernetes: {
    text: 'Kubernetes service accounts',
    isPublic: false,
    immutable: [['kubernetes.io/namespace', 'kubernetes.io/serviceaccount/uid']],
    recorded: ['kubernetes.io/namespace', 'kubernetes.io/serviceaccount/name', 'kubernetes.io/pod/name'],
  },
  google: {
    text: 'Google Cloud',
    issuer: 'https://accounts.google.com',
    isPublic: true,
    immutable: [['sub']],
    recorded: ['email'],
  },
  generic: { text: 'Another issuer', isPublic: false, immutable: [], recorded: [] },
} as const satisfies Readonly<Record<string, Platform>>

export type WorkloadPlatform = keyof typeof WORKLOAD_PLATFORMS
export const WORKLOAD_PLATFORM_NAMES = Object.keys(WORKLOAD_PLATFORMS) as [
  WorkloadPlatform,
  ...WorkloadPlatform[],
] // its own keys

export function platformOf(name: WorkloadPlatform): Platform {
  return WORKLOAD_PLATFORMS[name]
}

/** Returns the platform whose issuer it is, whatever a trust calls it. */
export function platformOfIssuer(issuer: string): WorkloadPlatform | undefined {
  const bare = issuer.replace(/\/+$/, '')
  return WORKLOAD_PLATFORM_NAMES.find((name) => platformOf(name).issuer === bare)
}
