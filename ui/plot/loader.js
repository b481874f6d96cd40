// Streamlit sends this text with every rerun, so it only holds the way to the plot.
// Streamlit's own script tells where the app is, whatever base path or proxy stands before it.
/** @type {any} */
const ownScript = document.querySelector('script[type="module"][src*="static/js/"]');
const address = new URL("../../plot/VERSION/plot.js", ownScript.src).href;
const modules = await import(address).catch((error) => {
  const wayOut = 'Start the app with "streamlit run app.py", which serves it.';
  throw new Error(`${address} could not be loaded (${error.message}). ${wayOut}`);
});
export default modules.PART;
