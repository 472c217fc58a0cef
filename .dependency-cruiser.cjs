/** Who may import whom. ARCHITECTURE.md says why. */

/** Low to high: a feature knows only those before it. */
const FEATURES = [
  'people',
  'teams',
  'credentials',
  'projects',
  'agents',
  'callers',
  'members',
  'mentions',
  'sections',
  'labels',
  'files',
  'custom_fields',
  'tasks',
  'boards',
  'comments',
  'drafts',
  'relations',
  'attachments',
  'decision_requests',
  'context',
  'inbox',
  'views',
  'reports',
  'pull_requests',
  'feedback',
  'search',
  'invitations',
  'accounts',
  'profile',
]

const upward = FEATURES.slice(0, -1).map((feature, at) => ({
  name: `${feature}-looks-up`,
  severity: 'error',
  from: { path: `^src/features/${feature}/` },
  to: { path: `^src/features/(${FEATURES.slice(at + 1).join('|')})/` },
}))

module.exports = {
  forbidden: [
    {
      name: 'kernel-knows-nothing',
      severity: 'error',
      from: { path: '^src/kernel/' },
      to: { path: '^src/(?!kernel/)' },
    },
    {
      name: 'store-knows-only-the-kernel',
      severity: 'error',
      from: { path: '^src/store/' },
      to: { path: '^src/(?!kernel/|store/)' },
    },
    {
      name: 'content-knows-only-the-kernel',
      severity: 'error',
      from: { path: '^src/content/' },
      to: { path: '^src/(?!kernel/|content/)' },
    },
    {
      name: 'files-know-only-the-kernel',
      severity: 'error',
      from: { path: '^src/files/' },
      to: { path: '^src/(?!kernel/|files/)' },
    },
    {
      name: 'fetch-knows-only-the-kernel',
      severity: 'error',
      from: { path: '^src/fetch/' },
      to: { path: '^src/(?!kernel/|fetch/)' },
    },
    {
      name: 'search-looks-down',
      severity: 'error',
      from: { path: '^src/search/' },
      to: { path: '^src/(?!kernel/|store/|content/|search/)' },
    },
    {
      name: 'features-look-down',
      severity: 'error',
      from: { path: '^src/features/' },
      to: { path: '^src/(?!kernel/|store/|content/|search/|features/)' },
    },
    {
      name: 'features-meet-at-the-index',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/(?!$1/)[^/]+/(?!index\\.ts$)' },
    },
    {
      name: 'every-feature-has-its-place-in-the-order',
      severity: 'error',
      from: {},
      to: { path: `^src/features/(?!(${FEATURES.join('|')})/)` },
    },
    ...upward,
    {
      name: 'only-indexes-show-outside',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/features/' },
      to: { path: '^src/features/[^/]+/(?!index\\.ts$)' },
    },
    {
      name: 'surfaces-do-not-know-features',
      severity: 'error',
      from: { path: '^src/surfaces/' },
      to: { path: '^src/(?!kernel/|surfaces/|catalog\\.ts$)' },
    },
    {
      name: 'surfaces-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/surfaces/([^/]+)/' },
      to: { path: '^src/surfaces/(?!$1/)[^/]+/' },
    },
    {
      name: 'workers-stand-on-features',
      severity: 'error',
      from: { path: '^src/workers/' },
      to: { path: '^src/(?!kernel/|store/|features/|workers/)' },
    },
    {
      name: 'transfer-stands-on-features',
      severity: 'error',
      from: { path: '^src/transfer/' },
      to: { path: '^src/(?!kernel/|store/|content/|features/|transfer/)' },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      from: { path: '^src/features/.*/rules\\.ts$' },
      to: {
        path: [
          '^src/store/',
          '^src/features/[^/]+/(?!(schema|rules|index)\\.ts$)',
          'node_modules/drizzle-orm/',
          '^(bun:sqlite|node:|fs|net|http)',
        ],
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    // TypeScript 7 has no interface that this tool could read the sources with.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.json', '.js', '.mjs', '.cjs', '.d.ts'] },
  },
}
