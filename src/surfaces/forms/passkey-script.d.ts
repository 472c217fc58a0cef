/** The text of a script for browsers. */
declare const script: string
export default script
