/** Who may import whom. ARCHITECTURE.md says why. */

/** Low to high: a model knows only those before it. Operations know all models. */
const NOUNS = [
  'time/dates',
  'time/repeats',
  'identity/people',
  'identity/teams',
  'identity/team_policy',
  'identity/credentials',
  'identity/sign_ins',
  'identity/factors',
  'identity/linked_identities',
  'boards/projects',
  'agents/agents',
  'identity/callers',
  'identity/members',
  'conversation/mentions',
  'boards/sections',
  'agents/skills',
  'tasks/files',
  'tasks/fields',
  'tasks/states',
  'tasks/tasks',
  'boards/labels',
  'boards/custom_fields',
  'tasks/assignees',
  'tasks/descriptions',
  'tasks/relations',
  'search/text_index',
  'reports/flow',
  'agents/leases',
  'tasks/records',
  'tasks/edits',
  'search/filters',
  'agents/queue',
  'tasks/attachments',
  'inbox/notifications',
  'conversation/comments',
  'tasks/drafts',
  'pages/pages',
  'conversation/decision_requests',
  'conversation/evidence',
  'conversation/escalations',
  'agents/runs',
  'tasks/context',
  'boards/templates',
  'time/time',
  'boards/imports',
  'inbox/inbox',
  'inbox/mail',
  'inbox/reminders',
  'boards/views',
  'inbox/my_tasks',
  'inbox/sidebar',
  'time/calendar',
  'reports/reports',
  'tasks/pull_requests',
  'reports/feedback',
  'search/search',
  'agents/messages',
  'agents/webhooks',
  'conversation/chat',
  'identity/invitations',
  'identity/departures',
  'identity/grants',
  'identity/account_emails',
  'identity/audit',
  'identity/accounts',
  'identity/profile',
]

/** The layers of the web app, low to high. */
const LAYERS = ['messages', 'kit', 'data', 'entities', 'screens', 'shell']

/** What several screens share, low to high. */
const ENTITIES = [
  'user',
  'import',
  'quick-find',
  'command',
  'board',
  'task',
  'editor',
  'template',
  'timer',
  'page',
  'agent',
  'chat',
]

const looksUp = (folder, order, { prefix = '', part = '' } = {}) =>
  order.slice(0, -1).map((name, at) => ({
    name: `${prefix}${name.split('/').at(-1)}-looks-up`,
    severity: 'error',
    from: { path: `^src/${folder}/${name}/${part}` },
    to: { path: `^src/${folder}/(${order.slice(at + 1).join('|')})/` },
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
      // Readers also run in the browser.
      name: 'import-knows-only-the-kernel',
      severity: 'error',
      from: { path: '^src/import/' },
      to: { path: ['^src/(?!kernel/|import/)', '^(bun:|node:|fs|net|http)'] },
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
      name: 'mail-knows-only-the-kernel',
      severity: 'error',
      from: { path: '^src/mail/' },
      to: { path: '^src/(?!kernel/|mail/)' },
    },
    {
      name: 'oidc-knows-only-the-kernel',
      severity: 'error',
      from: { path: '^src/oidc/' },
      to: { path: '^src/(?!kernel/|oidc/)' },
    },
    {
      name: 'ai-knows-only-the-kernel',
      severity: 'error',
      from: { path: '^src/ai/' },
      to: { path: '^src/(?!kernel/|ai/)' },
    },
    {
      name: 'chat-stands-on-features',
      severity: 'error',
      from: { path: '^src/chat/' },
      to: { path: '^src/(?!kernel/|store/|content/|ai/|features/|chat/|catalog\\.ts$)' },
    },
    {
      name: 'search-looks-down',
      severity: 'error',
      from: { path: '^src/search/' },
      to: { path: '^src/(?!kernel/|store/|content/|search/)' },
    },
    {
      name: 'manual-looks-down',
      severity: 'error',
      from: { path: '^src/manual/' },
      to: { path: '^src/(?!kernel/|content/|search/|manual/)' },
    },
    {
      name: 'features-look-down',
      severity: 'error',
      from: { path: '^src/features/' },
      to: {
        path: '^src/(?!kernel/|store/|content/|search/|manual/|features/|import/record\\.ts$)',
      },
    },
    {
      name: 'nouns-meet-at-the-index',
      severity: 'error',
      from: { path: '^src/features/([^/]+/[^/]+)/' },
      to: { path: '^src/features/(?!$1/)[^/]+/[^/]+/[^/]+/(?!index\\.ts$)' },
    },
    {
      name: 'models-do-not-know-operations',
      severity: 'error',
      from: { path: '^src/features/[^/]+/[^/]+/model/' },
      to: { path: '^src/features/[^/]+/[^/]+/operations/' },
    },
    {
      name: 'operations-do-not-know-those-of-other-nouns',
      severity: 'error',
      from: { path: '^src/features/([^/]+/[^/]+)/operations/' },
      to: { path: '^src/features/(?!$1/)[^/]+/[^/]+/operations/' },
    },
    {
      name: 'only-the-catalog-knows-operations',
      severity: 'error',
      // The server and the chat dispatch a few operations that no caller may name.
      from: { path: '^src/', pathNot: '^src/(features/|server/|chat/|catalog\\.ts$)' },
      to: { path: '^src/features/[^/]+/[^/]+/operations/' },
    },
    {
      name: 'every-noun-has-its-place-in-the-order',
      severity: 'error',
      from: {},
      to: { path: `^src/features/(?!(${NOUNS.join('|')})/(model|operations)/)` },
    },
    ...looksUp('features', NOUNS, { part: 'model/' }),
    {
      name: 'only-indexes-show-outside',
      severity: 'error',
      // The text worker imports single files of a noun, so that it loads no more than it runs.
      from: { path: '^src/', pathNot: '^src/(features/|server/text-worker\\.ts$)' },
      to: { path: '^src/features/[^/]+/[^/]+/[^/]+/(?!index\\.ts$)' },
    },
    {
      name: 'surfaces-do-not-know-features',
      severity: 'error',
      from: { path: '^src/surfaces/' },
      to: { path: '^src/(?!kernel/|import/|surfaces/|design/|catalog\\.ts$)' },
    },
    {
      name: 'surfaces-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/surfaces/([^/]+)/' },
      to: { path: '^src/surfaces/(?!$1/)[^/]+/' },
    },
    {
      name: 'the-app-knows-the-catalog',
      severity: 'error',
      from: { path: '^src/web/' },
      to: {
        path: '^src/(?!web/|design/|catalog\\.ts$|import/|kernel/operation\\.ts$|kernel/recurrence/)',
      },
    },
    {
      name: 'nobody-knows-the-app',
      severity: 'error',
      from: { path: '^src/(?!web/)' },
      to: { path: '^src/web/' },
    },
    ...looksUp('web', LAYERS, { prefix: 'web-' }),
    ...looksUp('web/entities', ENTITIES, { prefix: 'web-' }),
    {
      name: 'screens-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/web/screens/([^/]+)/' },
      to: { path: '^src/web/screens/(?!$1/)' },
    },
    {
      name: 'every-web-module-has-its-place-in-the-order',
      severity: 'error',
      from: {},
      to: {
        path: [
          `^src/web/(?!(${LAYERS.join('|')})/)[^/]+/`,
          `^src/web/entities/(?!(${ENTITIES.join('|')})/)`,
        ],
      },
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
          '^src/features/[^/]+/[^/]+/[^/]+/(?!(schema|rules|index)\\.ts$)',
          'node_modules/drizzle-orm/',
          '^(bun:sqlite|node:|fs|net|http)',
        ],
      },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
  ],
  options: {
    // TypeScript 7 has no interface that this tool could read the sources with.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.json', '.js', '.mjs', '.cjs', '.d.ts'],
    },
  },
}
