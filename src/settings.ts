import {
  address,
  codeHosts,
  cycle,
  endpoint,
  filled,
  hidden,
  hosts,
  key,
  LEVELS,
  level,
  memory,
  optional,
  postgres,
  provider,
  proxies,
  quota,
  rate,
  relay,
  service,
  whole,
  withoutPassword,
} from './said.ts'
import { setting } from './setting.ts'

/** Every setting there is: what is read at the start, and what `cork config` and the docs tell. */
export const settings = {
  data: setting({
    name: 'CORK_DATA',
    flag: 'data',
    otherwise: './data',
    about: 'The data folder: database, attachments, signing key, backups',
    read: filled,
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    otherwise: '',
    about: 'postgres://… keeps the data in PostgreSQL instead of the data folder',
    mask: withoutPassword,
    read: postgres,
  }),
  secret: setting({
    name: 'CORK_SECRET',
    otherwise: '',
    about: 'Encrypts the signing key that is kept in PostgreSQL; needed with DATABASE_URL',
    mask: hidden,
    read: optional,
  }),
  host: setting({
    name: 'CORK_HOST',
    flag: 'host',
    otherwise: '127.0.0.1',
    about: 'Where to listen; 0.0.0.0 is everywhere',
    read: filled,
  }),
  port: setting({
    name: 'CORK_PORT',
    flag: 'port',
    otherwise: '3210',
    about: 'The port to listen on; 0 picks a free one',
    read: (said) => whole(said, 65_535),
  }),
  url: setting({
    name: 'CORK_URL',
    otherwise: '',
    about: 'The public base address, for links and cookies; for the command line, the server',
    read: address,
  }),
  token: setting({
    name: 'CORK_TOKEN',
    otherwise: '',
    about: 'The key or token that the command line shows the server',
    mask: hidden,
    read: optional,
  }),
  trustedProxies: setting({
    name: 'CORK_TRUSTED_PROXIES',
    otherwise: '',
    about:
      'Proxies in front of this server whose `Forwarded` or `X-Forwarded-For` names the client: addresses, ranges such as 10.0.0.0/8, `loopback`, `private`; a comma list. From all others these headers are ignored',
    read: proxies,
  }),
  rateBase: setting({
    name: 'CORK_RATE_LIMIT_BASE',
    otherwise: '120',
    about: 'Requests a minute for each person or address; 0 switches off',
    read: rate,
  }),
  rateAgent: setting({
    name: 'CORK_RATE_LIMIT_AGENT',
    otherwise: '600',
    about: 'Requests a minute for each agent; 0 switches off',
    read: rate,
  }),
  textSeconds: setting({
    name: 'CORK_TEXT_SECONDS',
    otherwise: '20',
    about:
      'Seconds of processor time a minute for each credential to clean, convert and compare texts; 0 switches off',
    read: rate,
  }),
  allowHosts: setting({
    name: 'CORK_ALLOW_HOSTS',
    otherwise: '',
    about:
      'Hosts that files may be fetched from and webhooks sent to although their addresses are private, over plain http too; a comma list',
    read: hosts,
  }),
  skillHosts: setting({
    name: 'CORK_SKILL_HOSTS',
    otherwise: 'github.com=github,gitlab.com=gitlab',
    about:
      'Code hosts that skills may be imported from, each with the layout of its addresses, github or gitlab; a comma list',
    read: codeHosts,
  }),
  s3Endpoint: setting({
    name: 'CORK_S3_ENDPOINT',
    otherwise: '',
    about: 'Keeps attachments in a bucket of this S3 service instead of the data folder',
    read: service,
  }),
  s3Bucket: setting({
    name: 'CORK_S3_BUCKET',
    otherwise: '',
    about: 'The name of that bucket',
    read: optional,
  }),
  s3Region: setting({
    name: 'CORK_S3_REGION',
    otherwise: 'us-east-1',
    about: 'The region of that bucket',
    read: filled,
  }),
  s3AccessKey: setting({
    name: 'CORK_S3_ACCESS_KEY',
    otherwise: '',
    about: 'The id of a key that may read, write, list and delete there',
    read: optional,
  }),
  s3SecretKey: setting({
    name: 'CORK_S3_SECRET_KEY',
    otherwise: '',
    about: 'The secret of that key',
    mask: hidden,
    read: optional,
  }),
  webhookCycle: setting({
    name: 'CORK_WEBHOOK_CYCLE',
    otherwise: '5',
    about: 'Seconds, at most, until a message goes out to the webhook of an agent',
    read: cycle,
  }),
  smtp: setting({
    name: 'CORK_SMTP_URL',
    otherwise: '',
    about:
      'Mails invitations, and notifications to those who ask for them, through this server: smtp://user:password@mail.example.com:587, with ?from= and an address to send from',
    mask: withoutPassword,
    read: relay,
  }),
  feedbackProject: setting({
    name: 'CORK_FEEDBACK_PROJECT',
    otherwise: '',
    about: 'The board, by number or key, on which feedback about this server becomes tickets',
    read: optional,
  }),
  embeddingsBaseUrl: setting({
    name: 'CORK_EMBEDDINGS_BASE_URL',
    otherwise: '',
    about:
      'Lets search find by meaning, too, with the model of this service that speaks as OpenAI does: https://api.openai.com/v1, http://127.0.0.1:11434/v1',
    read: endpoint,
  }),
  embeddingsApiKey: setting({
    name: 'CORK_EMBEDDINGS_API_KEY',
    otherwise: '',
    about: 'The key that this service asks for, if it does',
    mask: hidden,
    read: optional,
  }),
  embeddingsModel: setting({
    name: 'CORK_EMBEDDINGS_MODEL',
    otherwise: '',
    about: 'The name of that model, as the service calls it; another one makes all vectors anew',
    read: optional,
  }),
  aiBaseUrl: setting({
    name: 'CORK_AI_BASE_URL',
    otherwise: '',
    about:
      'The service whose model answers in the chat and lets agents run here: https://api.openai.com/v1, https://api.anthropic.com/v1, http://127.0.0.1:11434/v1 for Ollama',
    read: endpoint,
  }),
  aiApiKey: setting({
    name: 'CORK_AI_API_KEY',
    otherwise: '',
    about: 'The key that this service asks for, if it does',
    mask: hidden,
    read: key,
  }),
  aiModel: setting({
    name: 'CORK_AI_MODEL',
    otherwise: '',
    about: 'The name of that model, as the service calls it; it must be able to call tools',
    read: optional,
  }),
  aiProvider: setting({
    name: 'CORK_AI_PROVIDER',
    otherwise: '',
    about: 'How that service speaks: openai or anthropic; left out, its address tells',
    read: provider,
  }),
  filesPerTeam: setting({
    name: 'CORK_FILES_PER_TEAM',
    otherwise: '100000',
    about: 'MB that the attached files of one team may have together; 0 sets no limit',
    read: quota,
  }),
  filesPerDay: setting({
    name: 'CORK_FILES_PER_DAY',
    otherwise: '10000',
    about: 'MB of files that one credential may send in a day (UTC); 0 sets no limit',
    read: quota,
  }),
  searchMemory: setting({
    name: 'CORK_SEARCH_MEMORY',
    otherwise: '128',
    about:
      'MB that the search index may take in memory; boards that do not fit are read when they are asked',
    read: memory,
  }),
  logLevel: setting({
    name: 'CORK_LOG_LEVEL',
    otherwise: 'info',
    about: `How much is logged on standard error: ${LEVELS.join(', ')}; debug tells of each request`,
    read: level,
  }),
}
