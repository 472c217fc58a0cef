import {
  LEVELS,
  maskAll,
  maskPassword,
  parseApiKey,
  parseBaseUrl,
  parseCodeHosts,
  parseEndpointUrl,
  parseHosts,
  parseLogLevel,
  parseMemory,
  parseOptional,
  parsePostgresUrl,
  parseProvider,
  parseProxies,
  parseQuota,
  parseRate,
  parseRequired,
  parseSeconds,
  parseServiceUrl,
  parseSmtpUrl,
  parseWholeNumber,
} from './parse.ts'
import { defineSetting } from './setting.ts'

/** All settings: read at the start, and listed by `cork config` and in docs/operating.md. */
export const settings = {
  data: defineSetting({
    name: 'CORK_DATA',
    flag: 'data',
    defaultText: './data',
    about: 'The data folder: database, attachments, signing key, backups',
    parse: parseRequired,
  }),
  databaseUrl: defineSetting({
    name: 'DATABASE_URL',
    defaultText: '',
    about: 'postgres://… keeps the data in PostgreSQL instead of the data folder',
    mask: maskPassword,
    parse: parsePostgresUrl,
  }),
  secret: defineSetting({
    name: 'CORK_SECRET',
    defaultText: '',
    about: 'Encrypts the signing key that is kept in PostgreSQL; needed with DATABASE_URL',
    mask: maskAll,
    parse: parseOptional,
  }),
  host: defineSetting({
    name: 'CORK_HOST',
    flag: 'host',
    defaultText: '127.0.0.1',
    about: 'Where to listen; 0.0.0.0 is everywhere',
    parse: parseRequired,
  }),
  port: defineSetting({
    name: 'CORK_PORT',
    flag: 'port',
    defaultText: '3210',
    about: 'The port to listen on; 0 picks a free one',
    parse: (raw) => parseWholeNumber(raw, 65_535),
  }),
  url: defineSetting({
    name: 'CORK_URL',
    defaultText: '',
    about: 'The public base address, for links and cookies; for the command line, the server',
    parse: parseBaseUrl,
  }),
  token: defineSetting({
    name: 'CORK_TOKEN',
    defaultText: '',
    about: 'The key or token that the command line shows the server',
    mask: maskAll,
    parse: parseOptional,
  }),
  trustedProxies: defineSetting({
    name: 'CORK_TRUSTED_PROXIES',
    defaultText: '',
    about:
      'Proxies in front of this server whose `Forwarded` or `X-Forwarded-For` names the client: addresses, ranges such as 10.0.0.0/8, `loopback`, `private`; a comma list. From all others these headers are ignored',
    parse: parseProxies,
  }),
  rateBase: defineSetting({
    name: 'CORK_RATE_LIMIT_BASE',
    defaultText: '120',
    about: 'Requests a minute for each person or address; 0 switches off',
    parse: parseRate,
  }),
  rateAgent: defineSetting({
    name: 'CORK_RATE_LIMIT_AGENT',
    defaultText: '600',
    about: 'Requests a minute for each agent; 0 switches off',
    parse: parseRate,
  }),
  textSeconds: defineSetting({
    name: 'CORK_TEXT_SECONDS',
    defaultText: '20',
    about:
      'Seconds of processor time a minute for each credential to clean, convert and compare texts; 0 switches off',
    parse: parseRate,
  }),
  allowHosts: defineSetting({
    name: 'CORK_ALLOW_HOSTS',
    defaultText: '',
    about:
      'Hosts that files may be fetched from and webhooks sent to although their addresses are private, over plain http too; a comma list',
    parse: parseHosts,
  }),
  skillHosts: defineSetting({
    name: 'CORK_SKILL_HOSTS',
    defaultText: 'github.com=github,gitlab.com=gitlab',
    about:
      'Code hosts that skills may be imported from, each with the layout of its addresses, github or gitlab; a comma list',
    parse: parseCodeHosts,
  }),
  s3Endpoint: defineSetting({
    name: 'CORK_S3_ENDPOINT',
    defaultText: '',
    about: 'Keeps attachments in a bucket of this S3 service instead of the data folder',
    parse: parseServiceUrl,
  }),
  s3Bucket: defineSetting({
    name: 'CORK_S3_BUCKET',
    defaultText: '',
    about: 'The name of that bucket',
    parse: parseOptional,
  }),
  s3Region: defineSetting({
    name: 'CORK_S3_REGION',
    defaultText: 'us-east-1',
    about: 'The region of that bucket',
    parse: parseRequired,
  }),
  s3AccessKey: defineSetting({
    name: 'CORK_S3_ACCESS_KEY',
    defaultText: '',
    about: 'The id of a key that may read, write, list and delete there',
    parse: parseOptional,
  }),
  s3SecretKey: defineSetting({
    name: 'CORK_S3_SECRET_KEY',
    defaultText: '',
    about: 'The secret of that key',
    mask: maskAll,
    parse: parseOptional,
  }),
  webhookCycle: defineSetting({
    name: 'CORK_WEBHOOK_CYCLE',
    defaultText: '5',
    about: 'Seconds, at most, until a message goes out to the webhook of an agent',
    parse: parseSeconds,
  }),
  smtp: defineSetting({
    name: 'CORK_SMTP_URL',
    defaultText: '',
    about:
      'Mails invitations, and notifications to those who ask for them, through this server: smtp://user:password@mail.example.com:587, with ?from= and an address to send from',
    mask: maskPassword,
    parse: parseSmtpUrl,
  }),
  feedbackProject: defineSetting({
    name: 'CORK_FEEDBACK_PROJECT',
    defaultText: '',
    about: 'The board, by number or key, on which feedback about this server becomes tickets',
    parse: parseOptional,
  }),
  embeddingsBaseUrl: defineSetting({
    name: 'CORK_EMBEDDINGS_BASE_URL',
    defaultText: '',
    about:
      'Lets search find by meaning, too, with the model of this service that speaks as OpenAI does: https://api.openai.com/v1, http://127.0.0.1:11434/v1',
    parse: parseEndpointUrl,
  }),
  embeddingsApiKey: defineSetting({
    name: 'CORK_EMBEDDINGS_API_KEY',
    defaultText: '',
    about: 'The key that this service asks for, if it does',
    mask: maskAll,
    parse: parseOptional,
  }),
  embeddingsModel: defineSetting({
    name: 'CORK_EMBEDDINGS_MODEL',
    defaultText: '',
    about: 'The name of that model, as the service calls it; another one makes all vectors anew',
    parse: parseOptional,
  }),
  aiBaseUrl: defineSetting({
    name: 'CORK_AI_BASE_URL',
    defaultText: '',
    about:
      'The service whose model answers in the chat and lets agents run here: https://api.openai.com/v1, https://api.anthropic.com/v1, http://127.0.0.1:11434/v1 for Ollama',
    parse: parseEndpointUrl,
  }),
  aiApiKey: defineSetting({
    name: 'CORK_AI_API_KEY',
    defaultText: '',
    about: 'The key that this service asks for, if it does',
    mask: maskAll,
    parse: parseApiKey,
  }),
  aiModel: defineSetting({
    name: 'CORK_AI_MODEL',
    defaultText: '',
    about: 'The name of that model, as the service calls it; it must be able to call tools',
    parse: parseOptional,
  }),
  aiProvider: defineSetting({
    name: 'CORK_AI_PROVIDER',
    defaultText: '',
    about: 'How that service speaks: openai or anthropic; left out, its address tells',
    parse: parseProvider,
  }),
  filesPerTeam: defineSetting({
    name: 'CORK_FILES_PER_TEAM',
    defaultText: '100000',
    about: 'MB that the attached files of one team may have together; 0 sets no limit',
    parse: parseQuota,
  }),
  filesPerDay: defineSetting({
    name: 'CORK_FILES_PER_DAY',
    defaultText: '10000',
    about: 'MB of files that one credential may send in a day (UTC); 0 sets no limit',
    parse: parseQuota,
  }),
  searchMemory: defineSetting({
    name: 'CORK_SEARCH_MEMORY',
    defaultText: '128',
    about:
      'MB that the search index may take in memory; boards that do not fit are read when they are asked',
    parse: parseMemory,
  }),
  logLevel: defineSetting({
    name: 'CORK_LOG_LEVEL',
    defaultText: 'info',
    about: `How much is logged on standard error: ${LEVELS.join(', ')}; debug tells of each request`,
    parse: parseLogLevel,
  }),
}
