// Streamlit sends this text with every rerun, so it holds nothing but the way to the real module.
// Streamlit's own script tells where the app is, whatever base path or proxy stands before it.
const ownScript = document.querySelector('script[type="module"][src*="static/js/"]');
const address = new URL("../../PLOT_JS", ownScript.src).href;
const parts = await import(address).catch((error) => {
  throw new Error(
    `${address} could not be loaded (${error.message}). Start the app with "streamlit run app.py", which serves it.`,
  );
});
export default parts.PART;
