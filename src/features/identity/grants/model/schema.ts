/** How long a code can be exchanged for tokens. */
export const CODE_MS = 60_000
export const ACCESS_TOKEN_MS = 60 * 60_000
/**
 * Two processes of one client may refresh at the same moment. The previous refresh token therefore
 * works this long after its use.
 */
export const REFRESH_GRACE_MS = 30_000
/** How long a person has to type the code of a device. */
export const DEVICE_MS = 15 * 60_000
/** Seconds between two polls of a device. */
export const POLL_S = 5
/** How long a consent page can be submitted. */
export const CONSENT_MS = 30 * 60_000

/** VS Code registers six. */
export const MAX_REDIRECT_URIS = 10
export const MAX_URI_LENGTH = 500
export const MAX_NAME_LENGTH = 80
export const MAX_CLIENT_ID_LENGTH = 4000
export const MAX_DOCUMENT_BYTES = 8192
