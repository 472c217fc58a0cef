import {
  LEVELS,
  maskAll,
  maskPassword,
  maskPasswords,
  parseApiKey,
  parseBaseUrl,
  parseCodeHosts,
  parseEndpointUrl,
  parseHosts,
  parseLogLevel,
  parseMemory,
  parseOptional,
  parsePostgresUrl,
  parsePrice,
  parseProvider,
  parseProxies,
  parseQuota,
  parseRate,
  parseReplicaUrls,
  parseRequired,
  parseSchedule,
  parseSeconds,
  parseServiceUrl,
  parseSmtpUrl,
  parseWholeNumber,
} from './parse.ts'
import {
  parseGroupRoles,
  parseIssuerUrl,
  parseNewPeople,
  parseScopes,
  parseYes,
} from './parse-issuers.ts'
import { defineSetting } from './setting.ts'

/** All settings: read at the start, and listed by `cork config` and in docs/configuration.md. */
export const settings = {
  data: defineSetting({
    name: 'CORK_DATA',
    flag: 'data',
    defaultText: './data',
    about: 'Data folder: database, attachments, signing key, backups',
    parse: parseRequired,
  }),
  databaseUrl: defineSetting({
    name: 'DATABASE_URL',
    defaultText: '',
    about: 'postgres://… stores the data in PostgreSQL instead of the data folder',
    mask: maskPassword,
    parse: parsePostgresUrl,
  }),
  replicaUrls: defineSetting({
    name: 'DATABASE_REPLICA_URLS',
    defaultText: '',
    about: 'Streaming replicas of the PostgreSQL server that may serve reads, separated by commas',
    mask: maskPasswords,
    parse: parseReplicaUrls,
  }),
  secret: defineSetting({
    name: 'CORK_SECRET',
    defaultText: '',
    about: 'Encrypts the signing key stored in PostgreSQL; required with DATABASE_URL',
    mask: maskAll,
    parse: parseOptional,
  }),
  host: defineSetting({
    name: 'CORK_HOST',
    flag: 'host',
    defaultText: '127.0.0.1',
    about: 'Address to listen on; 0.0.0.0 is all interfaces',
    parse: parseRequired,
  }),
  port: defineSetting({
    name: 'CORK_PORT',
    flag: 'port',
    defaultText: '3210',
    about: 'Port to listen on; 0 picks a free one',
    parse: (raw) => parseWholeNumber(raw, 65_535),
  }),
  url: defineSetting({
    name: 'CORK_URL',
    defaultText: '',
    about: 'Public base URL for links and cookies; for the command line, the URL of the server',
    parse: parseBaseUrl,
  }),
  token: defineSetting({
    name: 'CORK_TOKEN',
    defaultText: '',
    about: 'Key or token that the command line sends to the server',
    mask: maskAll,
    parse: parseOptional,
  }),
  agent: defineSetting({
    name: 'CORK_AGENT',
    defaultText: '',
    about: 'The agent as which the command line works, by a token saved on this machine',
    parse: parseOptional,
  }),
  project: defineSetting({
    name: 'CORK_PROJECT',
    defaultText: '',
    about: 'The board of `cork prime` and `cork agents instructions`: number, key or title',
    parse: parseOptional,
  }),
  trustedProxies: defineSetting({
    name: 'CORK_TRUSTED_PROXIES',
    defaultText: '',
    about:
      'Proxies whose `Forwarded` or `X-Forwarded-For` headers are trusted: addresses, ranges such as 10.0.0.0/8, `loopback`, `private`, separated by commas. From all others these headers are ignored',
    parse: parseProxies,
  }),
  rateBase: defineSetting({
    name: 'CORK_RATE_LIMIT_BASE',
    defaultText: '120',
    about: 'Requests per minute for each person or address; 0 disables the limit',
    parse: parseRate,
  }),
  rateAgent: defineSetting({
    name: 'CORK_RATE_LIMIT_AGENT',
    defaultText: '600',
    about: 'Requests per minute for each agent; 0 disables the limit',
    parse: parseRate,
  }),
  textSeconds: defineSetting({
    name: 'CORK_TEXT_SECONDS',
    defaultText: '20',
    about:
      'Seconds of processor time per minute for each credential to clean, convert and compare texts; 0 disables the limit',
    parse: parseRate,
  }),
  readerThreads: defineSetting({
    name: 'CORK_READER_THREADS',
    defaultText: '2',
    about:
      'Most threads that run large reads on SQLite, such as whole boards, so that other requests do not wait for them; they start when needed, and 0 turns them off',
    parse: (raw) => parseWholeNumber(raw, 64),
  }),
  allowHosts: defineSetting({
    name: 'CORK_ALLOW_HOSTS',
    defaultText: '',
    about:
      'Hosts with private addresses that files may be fetched from and webhooks sent to, also over plain http; separated by commas',
    parse: parseHosts,
  }),
  skillHosts: defineSetting({
    name: 'CORK_SKILL_HOSTS',
    defaultText: 'github.com=github,gitlab.com=gitlab',
    about:
      'Code hosts that skills may be imported from, each with its URL layout, github or gitlab; separated by commas',
    parse: parseCodeHosts,
  }),
  s3Endpoint: defineSetting({
    name: 'CORK_S3_ENDPOINT',
    defaultText: '',
    about: 'S3 service that stores attachments in a bucket instead of the data folder',
    parse: parseServiceUrl,
  }),
  s3Bucket: defineSetting({
    name: 'CORK_S3_BUCKET',
    defaultText: '',
    about: 'Name of the bucket',
    parse: parseOptional,
  }),
  s3Region: defineSetting({
    name: 'CORK_S3_REGION',
    defaultText: 'us-east-1',
    about: 'Region of the bucket',
    parse: parseRequired,
  }),
  s3AccessKey: defineSetting({
    name: 'CORK_S3_ACCESS_KEY',
    defaultText: '',
    about: 'Id of a key that may read, write, list and delete in the bucket',
    parse: parseOptional,
  }),
  s3SecretKey: defineSetting({
    name: 'CORK_S3_SECRET_KEY',
    defaultText: '',
    about: 'Secret of that key',
    mask: maskAll,
    parse: parseOptional,
  }),
  webhookCycle: defineSetting({
    name: 'CORK_WEBHOOK_CYCLE',
    defaultText: '5',
    about: 'Maximum seconds until a message is sent to the webhook of an agent',
    parse: parseSeconds,
  }),
  smtp: defineSetting({
    name: 'CORK_SMTP_URL',
    defaultText: '',
    about:
      'Mail server for invitations and for notifications to people who opt in: smtp://user:password@mail.example.com:587, with ?from= for the sender address',
    mask: maskPassword,
    parse: parseSmtpUrl,
  }),
  oidcIssuer: defineSetting({
    name: 'CORK_OIDC_ISSUER',
    defaultText: '',
    about:
      'OpenID Connect issuer through which people sign in: https://id.example.com/realms/main. Further issuers have numbers: CORK_OIDC_2_ISSUER to CORK_OIDC_9_ISSUER, and so for the other names except CORK_OIDC_ONLY',
    parse: parseIssuerUrl,
  }),
  oidcClientId: defineSetting({
    name: 'CORK_OIDC_CLIENT_ID',
    defaultText: '',
    about: 'Client ID of this server at the issuer',
    parse: parseOptional,
  }),
  oidcClientSecret: defineSetting({
    name: 'CORK_OIDC_CLIENT_SECRET',
    defaultText: '',
    about: 'Client secret; none for a public client',
    mask: maskAll,
    parse: parseOptional,
  }),
  oidcName: defineSetting({
    name: 'CORK_OIDC_NAME',
    defaultText: '',
    about: 'Name of the issuer on the sign-in page; default: its host',
    parse: parseOptional,
  }),
  oidcScopes: defineSetting({
    name: 'CORK_OIDC_SCOPES',
    defaultText: 'openid email profile',
    about: 'Scopes to request; some issuers send groups only with one more, such as groups',
    parse: parseScopes,
  }),
  oidcGroupsClaim: defineSetting({
    name: 'CORK_OIDC_GROUPS_CLAIM',
    defaultText: 'groups',
    about: 'Claim that lists the groups of a person; a dot leads into an object',
    parse: parseRequired,
  }),
  oidcRoles: defineSetting({
    name: 'CORK_OIDC_ROLES',
    defaultText: '',
    about:
      'Roles in teams by group, applied at each sign-in: cork-admins=Harbour:admin, staff=Harbour:member',
    parse: parseGroupRoles,
  }),
  oidcNewPeople: defineSetting({
    name: 'CORK_OIDC_NEW_PEOPLE',
    defaultText: 'none',
    about:
      'Who gets an account at the first sign-in, besides invited people: none, groups (people with a role by group), domains like example.com or example.com=Harbour:member, separated by commas',
    parse: parseNewPeople,
  }),
  oidcTrustEmail: defineSetting({
    name: 'CORK_OIDC_TRUST_EMAIL',
    defaultText: 'no',
    about:
      'yes: addresses count as verified if the issuer does not say; only for issuers where nobody can choose their address',
    parse: parseYes,
  }),
  oidcOnly: defineSetting({
    name: 'CORK_OIDC_ONLY',
    defaultText: 'no',
    about: 'yes: people cannot sign in with passwords, only through the issuers',
    parse: parseYes,
  }),
  feedbackProject: defineSetting({
    name: 'CORK_FEEDBACK_PROJECT',
    defaultText: '',
    about: 'Board (number or key) where feedback about this server creates tasks',
    parse: parseOptional,
  }),
  embeddingsBaseUrl: defineSetting({
    name: 'CORK_EMBEDDINGS_BASE_URL',
    defaultText: '',
    about:
      'OpenAI-compatible embeddings service, which adds search by meaning: https://api.openai.com/v1, http://127.0.0.1:11434/v1',
    parse: parseEndpointUrl,
  }),
  embeddingsApiKey: defineSetting({
    name: 'CORK_EMBEDDINGS_API_KEY',
    defaultText: '',
    about: 'Key for this service, if it requires one',
    mask: maskAll,
    parse: parseOptional,
  }),
  embeddingsModel: defineSetting({
    name: 'CORK_EMBEDDINGS_MODEL',
    defaultText: '',
    about: 'Name of the embeddings model at the service; changing it recomputes all vectors',
    parse: parseOptional,
  }),
  aiBaseUrl: defineSetting({
    name: 'CORK_AI_BASE_URL',
    defaultText: '',
    about:
      'Model service for the chat and for agents that Corkboard runs: https://api.openai.com/v1, https://api.anthropic.com/v1, http://127.0.0.1:11434/v1 for Ollama',
    parse: parseEndpointUrl,
  }),
  aiApiKey: defineSetting({
    name: 'CORK_AI_API_KEY',
    defaultText: '',
    about: 'Key for this service, if it requires one',
    mask: maskAll,
    parse: parseApiKey,
  }),
  aiModel: defineSetting({
    name: 'CORK_AI_MODEL',
    defaultText: '',
    about: 'Name of the model at the service; it must support tool calls',
    parse: parseOptional,
  }),
  aiProvider: defineSetting({
    name: 'CORK_AI_PROVIDER',
    defaultText: '',
    about: 'API of the service: openai or anthropic; default: detected from its address',
    parse: parseProvider,
  }),
  aiPrice: defineSetting({
    name: 'CORK_AI_PRICE',
    defaultText: '',
    about:
      'Price of the model in US dollars per million tokens, input/output: 2.50/10; agents that Corkboard runs then report their cost',
    parse: parsePrice,
  }),
  filesPerTeam: defineSetting({
    name: 'CORK_FILES_PER_TEAM',
    defaultText: '100000',
    about: 'MB of attached files per team in total; 0 disables the limit',
    parse: parseQuota,
  }),
  filesPerDay: defineSetting({
    name: 'CORK_FILES_PER_DAY',
    defaultText: '10000',
    about: 'MB of files that one credential may upload per day (UTC); 0 disables the limit',
    parse: parseQuota,
  }),
  searchMemory: defineSetting({
    name: 'CORK_SEARCH_MEMORY',
    defaultText: '128',
    about:
      'MB of memory for the boards of each search worker; those that do not fit are read from disk',
    parse: parseMemory,
  }),
  logLevel: defineSetting({
    name: 'CORK_LOG_LEVEL',
    defaultText: 'info',
    about: `Log level on standard error: ${LEVELS.join(', ')}; debug logs each request`,
    parse: parseLogLevel,
  }),
  backupSchedule: defineSetting({
    name: 'CORK_BACKUP_SCHEDULE',
    defaultText: '',
    about:
      'When the server backs up: daily at a time such as 03:15, in the time zone of the machine, or every 6h. Set it on one server only',
    parse: parseSchedule,
  }),
  backupFolder: defineSetting({
    name: 'CORK_BACKUP_FOLDER',
    defaultText: '',
    about: 'Folder of scheduled backups; without it, backups/scheduled in the data folder',
    parse: parseOptional,
  }),
  backupToBucket: defineSetting({
    name: 'CORK_BACKUP_TO_BUCKET',
    defaultText: 'no',
    about: 'yes copies each scheduled backup into the bucket of CORK_S3_…, below backups/',
    parse: parseYes,
  }),
  backupKeep: defineSetting({
    name: 'CORK_BACKUP_KEEP',
    defaultText: '7',
    about: 'How many scheduled backups to keep, at least 1',
    parse: (raw) => Math.max(1, parseWholeNumber(raw, 10_000)),
  }),
}
