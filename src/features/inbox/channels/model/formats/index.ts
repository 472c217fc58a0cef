import type { ChannelKind } from '../rules.ts'
import { apprise } from './apprise.ts'
import { discord } from './discord.ts'
import type { Format } from './format.ts'
import { mattermost } from './mattermost.ts'
import { ntfy } from './ntfy.ts'
import { push } from './push.ts'
import { slack } from './slack.ts'
import { webhook } from './webhook.ts'

export const FORMATS: Record<ChannelKind, Format> = {
  push,
  ntfy,
  slack,
  discord,
  mattermost,
  webhook,
  apprise,
}
