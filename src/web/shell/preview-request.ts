/** Asks for the preview of what has the focus. Its code is loaded after the first paint. */
export const requestPreview = () => void dispatchEvent(new Event(PREVIEW_REQUEST))
export const PREVIEW_REQUEST = 'preview-request'
