/** Larger files are found by name only. */
const MAX_BYTES = 20_000_000
/** Media and archives have no text that is read. */
const WITHOUT_TEXT = /^(image|audio|video|font|model)\/|\b(gzip|x-(7z|rar|tar|bzip2|xz))/

/** Whether the text of a file is read. */
export const isReadable = ({ content_type, size }: { content_type: string; size: number }) =>
  size <= MAX_BYTES && !WITHOUT_TEXT.test(content_type)
