/** The user id in this browser's cookie. It proves nothing, but all tabs read the same value. */
const signedInUserId = () => /(?:^|; )nookies_user=(\d+)/.exec(document.cookie)?.[1]

/** The user who was signed in when this page was loaded. */
export const pageUserId = signedInUserId() ?? ''

/** Whether another user has signed in since, in another tab. */
export const isOtherUser = () => {
  const current = signedInUserId()
  return current !== undefined && pageUserId !== '' && current !== pageUserId
}
