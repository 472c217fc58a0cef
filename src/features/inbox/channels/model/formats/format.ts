import type { ChannelConfig } from '../config.ts'
import type { ChannelMessage } from '../message.ts'
import type { VapidKey } from '../web-push.ts'

export interface ChannelRequest {
  url: string
  headers?: Record<string, string>
  body: string | Uint8Array
}

export interface FormatParts {
  config: ChannelConfig
  message: ChannelMessage
  /** The address of this server. */
  serverUrl: string
  vapidKey(): Promise<VapidKey>
  now: Date
}

/** Writes a message as a service expects it. */
export type Format = (parts: FormatParts) => ChannelRequest | Promise<ChannelRequest>

/** Cuts a text to a number of UTF-16 units, as services count them. */
export const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text

/** Accent of important messages and of others. */
export const colorOf = ({ important }: Pick<ChannelMessage, 'important'>): string =>
  important ? '#d97706' : '#64748b'

/** A link whose text cannot end it. */
export const markdownLink = (text: string, url: string): string =>
  `[${text.replace(/[\\[\]]/g, '\\$&')}](${url})`

export const actionLinks = ({ actions }: Pick<ChannelMessage, 'actions'>): string =>
  actions.map(({ label, url }) => `**${markdownLink(label, url)}**`).join(' · ')
