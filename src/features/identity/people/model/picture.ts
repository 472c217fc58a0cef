/** An uploaded picture. Its bytes are in the file store. */
export interface Picture {
  sha256: string
  type: 'png' | 'webp'
  size: number
}

/** An avatar is an https URL, or refers to an uploaded picture in this form. */
const REFERENCE = /^picture:([0-9a-f]{64}):(png|webp):(\d+)$/

/** What the SQL conditions need of the form: the hash and where it begins, counted from 1. */
export const PICTURE_PATTERN = 'picture:%'
export const PICTURE_HASH = { from: 9, length: 64 } as const

export const referenceTo = ({ sha256, type, size }: Picture) => `picture:${sha256}:${type}:${size}`

export function pictureOf(avatar: string | null): Picture | undefined {
  const [, sha256, type, size] = REFERENCE.exec(avatar ?? '') ?? []
  return sha256 ? { sha256, type: type as Picture['type'], size: Number(size) } : undefined
}

const VERSION_LENGTH = 16
/** Identifies the picture in its address, so that browsers can cache it for good. */
export const versionOf = ({ sha256 }: Picture) => sha256.slice(0, VERSION_LENGTH)

/** The address of an uploaded picture, or the URL that was given instead. */
export function avatarUrl(server: string, actor: string | number, avatar: string | null) {
  const picture = pictureOf(avatar)
  return picture ? `${server}/api/v1/avatars/${actor}/${versionOf(picture)}` : avatar
}
